import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { ForwardAnswer } from './contract.ts'
import { OpenStreams } from './open-streams.ts'

const streamed = (body: PassThrough): ForwardAnswer => ({ form: 'answer', status: 200, headers: [], body })

it('a request counts until the last of its answer has come', async () => {
  const streams = new OpenStreams()
  const body = new PassThrough()
  const counted = streams.counted(Promise.resolve(streamed(body)))
  expect(streams.count).toBe(1)
  await counted
  expect(streams.count).toBe(1)
  const idle = streams.idle()
  body.destroy()
  await idle
  expect(streams.count).toBe(0)
})

it('a request that failed counts no longer', async () => {
  const streams = new OpenStreams()
  await streams.counted(Promise.reject(new Error('cut'))).catch(() => {})
  expect(streams.count).toBe(0)
  await streams.idle()
})

it('an answer that has already closed does not count for ever', async () => {
  const streams = new OpenStreams()
  const body = new PassThrough()
  body.destroy()
  await new Promise((resolve) => body.once('close', resolve))
  await streams.counted(Promise.resolve(streamed(body)))
  expect(streams.count).toBe(0)
})
