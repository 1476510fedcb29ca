import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { carry } from './carry.ts'

/** Records what was written, and how many pieces each write contained. */
function receiver(highWaterMark = 1024 * 1024) {
  const writes: number[] = []
  const received: Buffer[] = []
  const taken: (() => void)[] = []
  const take = (chunks: readonly Buffer[], done: () => void) => {
    writes.push(chunks.length)
    received.push(...chunks)
    taken.push(done)
  }
  const to = new Writable({
    highWaterMark,
    write: (chunk: Buffer, _encoding, done) => take([chunk], done),
    writev: (chunks, done) =>
      take(
        chunks.map(({ chunk }) => chunk as Buffer),
        done,
      ),
  })
  return { to, writes, taken, bytes: () => Buffer.concat(received).toString() }
}

it('pieces that arrive in one iteration are one write, in order', async () => {
  const from = new PassThrough()
  const { to, writes, bytes } = receiver()
  carry(from, to)
  for (const piece of ['a', 'b', 'c']) from.write(piece)
  await nextTurn()
  await nextTurn()
  expect([writes, bytes()]).toEqual([[1], 'abc'])
})

it('the last pieces are sent before the end', async () => {
  const from = new PassThrough()
  const { to, taken, bytes } = receiver()
  carry(from, to)
  from.write('a')
  from.end('b')
  const finished = new Promise((resolve) => to.once('finish', resolve))
  await nextTurn()
  await nextTurn()
  for (const done of taken) done()
  await finished
  expect(bytes()).toBe('ab')
})

it('a receiver that is behind holds the sender back, and gets everything in the end', async () => {
  const from = new PassThrough({ highWaterMark: 4 })
  const { to, taken, bytes } = receiver(4)
  carry(from, to)
  from.write('abcd')
  await nextTurn()
  await nextTurn()
  expect(from.isPaused()).toBe(true)
  from.end('efgh')
  const finished = new Promise((resolve) => to.once('finish', resolve))
  for (let turn = 0; turn < 20; turn++) {
    taken.shift()?.()
    await nextTurn()
  }
  await finished
  expect(bytes()).toBe('abcdefgh')
})

it('nothing more is written to a closed receiver', async () => {
  const from = new PassThrough()
  const { to, writes } = receiver()
  carry(from, to)
  to.destroy()
  from.write('a')
  await nextTurn()
  await nextTurn()
  expect(writes).toEqual([])
})
