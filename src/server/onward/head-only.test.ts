import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { headOnly } from './head-only.ts'

it('an answer without a body that its sender never ends is given up with the request', () => {
  const body = new PassThrough()
  const request = new AbortController()
  headOnly(body, [request.signal])
  expect(body.destroyed).toBe(false)
  request.abort()
  expect(body.destroyed).toBe(true)
})

it('one that comes with a body anyway is given up at once', async () => {
  const body = new PassThrough()
  headOnly(body, [])
  const closed = new Promise((resolve) => body.once('close', resolve))
  body.write('{}')
  await closed
})
