import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { untilWritten } from './closed-output.ts'

it('waits until a slow reader has read all output', async () => {
  const taken: string[] = []
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      setImmediate(() => {
        taken.push(chunk.toString())
        done()
      })
    },
  })
  for (const text of ['one', 'two', 'three']) stdout.write(text)
  await untilWritten({ stdout, stderr: new PassThrough() })
  expect(taken.join('')).toBe('onetwothree')
})
