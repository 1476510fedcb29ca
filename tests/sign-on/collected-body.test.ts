import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { collectedBody } from '../../src/sign-on/fetch/collected-body.ts'

it('a response of a provider in very many chunks of one byte is aborted after a thousand', async () => {
  const body = new PassThrough({ highWaterMark: 1 })
  const whole = collectedBody(body, 'https://provider')
  let sent = 0
  const send = () => {
    while (sent < 100_000 && !body.destroyed) {
      sent += 1
      if (!body.write(' ')) {
        body.once('drain', send)
        return
      }
    }
  }
  send()
  await expect(whole).rejects.toThrow('far too small')
  expect(sent).toBeLessThan(2_000)
})

it('a response in a few small chunks, or in many large ones, is complete', async () => {
  for (const pieces of [Array.from({ length: 900 }, () => 'a'), Array.from({ length: 3_000 }, () => 'b'.repeat(64))]) {
    const body = new PassThrough()
    const whole = collectedBody(body, 'https://provider')
    for (const piece of pieces) body.write(piece)
    body.end()
    expect((await whole).toString()).toBe(pieces.join(''))
  }
})
