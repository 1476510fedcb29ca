import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { headOnly } from './head-only.ts'

it('a response without a body that never ends is aborted with the request', () => {
  const body = new PassThrough()
  const request = new AbortController()
  headOnly(body, [request.signal])
  expect(body.destroyed).toBe(false)
  request.abort()
  expect(body.destroyed).toBe(true)
})

it('a response that has a body anyway is aborted at once', async () => {
  const body = new PassThrough()
  headOnly(body, [])
  const closed = new Promise((resolve) => body.once('close', resolve))
  body.write('{}')
  await closed
})
