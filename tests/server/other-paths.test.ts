import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configMaps, startApiWithObjects } from './api-with-objects.ts'
import type { TestApi } from './ask.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApiWithObjects({
    healthChecks: [
      { name: 'store', check: () => {} },
      { name: 'etcd', check: () => {}, only: ['readyz'], alone: 'everywhere' },
      { name: 'broken', check: () => Promise.reject(new Error('secret reason')), only: ['readyz'] },
    ],
    extraRoutes: [
      ({ info }) =>
        info.path === '/extra' ? () => ({ status: 418, headers: [], body: Buffer.from('extra') }) : undefined,
    ],
  })
})
afterAll(() => api.stop())

describe('health', () => {
  it.each([
    ['/healthz', 200, 'ok'],
    ['/livez', 200, 'ok'],
    ['/livez/store', 200, 'ok'],
    ['/livez?verbose', 200, '[+]ping ok\n[+]log ok\n[+]store ok\nlivez check passed\n'],
    [
      '/readyz',
      500,
      '[+]ping ok\n[+]log ok\n[+]store ok\n[+]etcd ok\n[-]broken failed: reason withheld\nreadyz check failed\n',
    ],
    ['/readyz?exclude=broken', 200, 'ok'],
    [
      '/readyz?verbose&exclude=broken',
      200,
      '[+]ping ok\n[+]log ok\n[+]store ok\n[+]etcd ok\n[+]broken excluded: ok\nreadyz check passed\n',
    ],
    ['/readyz/broken', 500, 'internal server error: reason withheld\n'],
    ['/readyz/broken?exclude=broken', 500, 'internal server error: reason withheld\n'],
    ['/livez/broken', 404, '404 page not found\n'],
    ['/livez/etcd?verbose', 200, 'ok'],
    ['/livez/log', 200, 'ok'],
  ])('%s is %d', async (path, status, text) => {
    expect(await api.ask(path)).toMatchObject({ status, text })
  })
})

describe('other paths', () => {
  it('return the version', async () => {
    expect((await api.ask('/version?timeout=5s')).json).toMatchObject({
      major: '1',
      minor: '32',
      gitVersion: 'v1.32.4',
    })
    expect((await api.ask('/version/')).status).toBe(200)
  })

  it('list themselves at the root', async () => {
    const { paths } = (await api.ask('/')).json as { paths: string[] }
    expect(paths).toEqual(
      expect.arrayContaining(['/api', '/api/v1', '/apis', '/apis/things.example.com', '/livez', '/metrics']),
    )
  })

  it('can be added', async () => {
    expect(await api.ask('/extra')).toMatchObject({ status: 418, text: 'extra' })
  })

  it('count requests by verb, resource and status', async () => {
    await api.ask(`${configMaps}/nope`)
    await api.ask(configMaps)
    const { text } = await api.ask('/metrics')
    expect(text).toMatch(/^apiserver_request_total\{verb="get",resource="configmaps",code="404"\} [1-9]/m)
    expect(text).toMatch(
      /^apiserver_request_duration_seconds_bucket\{verb="list",resource="configmaps",code="200",le="\+Inf"\} [1-9]/m,
    )
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
    expect((await api.ask('/metrics', { token: 'alice-token' })).status).toBe(403)
  })
})
