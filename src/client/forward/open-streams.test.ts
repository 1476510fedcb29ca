import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { ForwardAnswer } from './contract.ts'
import { OpenStreams } from './open-streams.ts'

const streamed = (body: PassThrough): ForwardAnswer => ({ form: 'answer', status: 200, headers: [], body })

it('a request counts until its answer has arrived completely', async () => {
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

it('a failed request no longer counts', async () => {
  const streams = new OpenStreams()
  await streams.counted(Promise.reject(new Error('cut'))).catch(() => {})
  expect(streams.count).toBe(0)
  await streams.idle()
})

it('an answer that has already closed does not count forever', async () => {
  const streams = new OpenStreams()
  const body = new PassThrough()
  body.destroy()
  await new Promise((resolve) => body.once('close', resolve))
  await streams.counted(Promise.resolve(streamed(body)))
  expect(streams.count).toBe(0)
})
