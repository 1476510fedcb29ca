import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Handler } from '../../src/server/exchange.ts'
import { startApi, type TestApi } from './ask.ts'

/** A handler that answers on command. */
function held() {
  let release = (): void => {}
  const handler: Handler = () =>
    new Promise((resolve) => {
      release = () => resolve({ status: 200, headers: [], body: Buffer.from('late') })
    })
  return { handler, release: () => release() }
}

const { handler, release } = held()
let api: TestApi

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  api = await startApi({
    limits: { maxRequestsInFlight: 2 },
    extraRoutes: [({ info }) => (info.path === '/held' ? handler : undefined)],
    impersonate: (user, { url }) => (url.includes('later') ? Promise.resolve(user) : user),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await api.stop()
})

async function pass(ms: number): Promise<void> {
  api.clock.advance(ms)
  await vi.advanceTimersByTimeAsync(ms)
}

describe('requests in progress', () => {
  it('are limited; the next one waits for a while, and is told when to retry', async () => {
    const working = api.ask('/held')
    const waiting = api.ask('/version')
    await pass(5_000)
    const refused = await waiting
    expect(refused.json).toMatchObject({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } })
    expect(refused.headers['retry-after']).toBe('1')
    const next = api.ask('/version')
    release()
    expect((await working).status).toBe(200)
    expect((await next).status).toBe(200)
  })

  it('do not count watches', async () => {
    const url = '/api/v1/namespaces/default/configmaps?watch=1'
    const watches = await Promise.all([1, 2, 3].map(() => api.open(url)))
    expect((await api.ask('/version')).status).toBe(200)
    for (const watch of watches) watch.disconnect()
  })

  it.each([
    ['/held', 60_000],
    ['/held?timeout=2s', 2_000],
    ['/held?timeout=1h', 60_000],
    ['/held?timeout=0s', 60_000],
    ['/held?timeout=2s&user=later', 2_000],
  ])('%s times out after %d ms', async (url, limitMs) => {
    const waiting = api.ask(url)
    let isOver = false
    waiting.then(() => {
      isOver = true
    })
    await pass(limitMs - 500)
    expect(isOver).toBe(false)
    await pass(1_000)
    expect((await waiting).json).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within the allotted timeout',
    })
    release()
  })
})

it('a clock that is set ends no request in progress', async () => {
  const set = await startApi({
    elapsed: { now: () => 0 },
    extraRoutes: [({ info }) => (info.path === '/held' ? handler : undefined)],
  })
  const working = set.ask('/held')
  set.clock.advance(3_600_000)
  await vi.advanceTimersByTimeAsync(1_000)
  release()
  expect((await working).status).toBe(200)
  await set.stop()
})
