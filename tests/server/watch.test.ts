import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startApi, type TestApi } from './ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const table = { headers: { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }

let api: TestApi
beforeEach(async () => {
  api = await startApi()
})
afterEach(() => api.stop())

function create(name: string, labels: Record<string, string> = {}) {
  return api.ask(configMaps, { method: 'POST', body: { metadata: { name, labels } } })
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('a watch', () => {
  it('reports existing objects and then changes, one line each', async () => {
    await create('a')
    const watch = await api.open(`${configMaps}?watch=true`)
    expect(watch.status).toBe(200)
    await create('b')
    await api.ask(`${configMaps}/b`, { method: 'DELETE' })
    expect(await watch.line(3)).toMatchObject([
      { type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } } },
      { type: 'ADDED', object: { metadata: { name: 'b' } } },
      { type: 'DELETED', object: { metadata: { name: 'b' } } },
    ])
    watch.disconnect()
  })

  it('sends its head before anything happens', async () => {
    const { json } = await api.ask(configMaps)
    const { resourceVersion } = (json as { metadata: { resourceVersion: string } }).metadata
    const watch = await api.open(`${configMaps}?watch=true&resourceVersion=${resourceVersion}`)
    expect(watch).toMatchObject({ status: 200, lines: [] })
    watch.disconnect()
  })

  it('writes the events of one iteration at once', async () => {
    for (const name of ['a', 'b', 'c']) await create(name)
    const watch = await api.open(`${configMaps}?watch=true`)
    await watch.line(3)
    expect(watch.chunks).toHaveLength(1)
    watch.disconnect()
  })

  it('ends as soon as the client disconnects', async () => {
    const watches = await Promise.all([1, 2, 3].map(() => api.open(`${configMaps}?watch=true`)))
    expect(api.watches.size).toBe(3)
    for (const watch of watches) watch.disconnect()
    await Promise.all(watches.map(({ ended }) => ended))
    expect(api.watches.size).toBe(0)
  })

  it('ends when the server stops', async () => {
    const watch = await api.open(`${configMaps}?watch=true`)
    api.watches.close()
    await watch.ended
    expect(api.watches.size).toBe(0)
  })

  it('is refused with an error before it starts', async () => {
    for (const [query, code] of [
      ['labelSelector=a%3D%3D%3Db', 400],
      ['timeoutSeconds=x', 400],
      ['sendInitialEvents=true', 422],
    ] as const) {
      expect((await api.ask(`${configMaps}?watch=true&${query}`)).json).toMatchObject({ kind: 'Status', code })
    }
    expect(api.watches.size).toBe(0)
  })

  it('follows one object by the deprecated path', async () => {
    await create('a')
    await create('b')
    const watch = await api.open('/api/v1/watch/namespaces/default/configmaps/b')
    expect(await watch.line(1)).toMatchObject([{ object: { metadata: { name: 'b' } } }])
    watch.disconnect()
  })

  it('is not begun by a write to the deprecated path', async () => {
    const { status } = await api.ask('/api/v1/watch/namespaces/default/configmaps/b', { method: 'POST', body: {} })
    expect(status).toBe(405)
  })

  it('marks the end of the initial events', async () => {
    await create('a')
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const watch = await api.open(`${configMaps}?${query}`)
    const [, bookmark] = await watch.line(2)
    const blueprint = Buffer.from('{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":null}\n')
    expect(bookmark).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: {
          resourceVersion: expect.stringMatching(/^[0-9]+$/),
          creationTimestamp: null,
          annotations: {
            'k8s.io/initial-events-end': 'true',
            'kubernetes.io/initial-events-list-blueprint': blueprint.toString('base64'),
          },
        },
      },
    })
    watch.disconnect()
  })

  it('as Tables names the columns only once', async () => {
    await create('a')
    const watch = await api.open(`${configMaps}?watch=true`, table)
    await watch.line(1)
    await create('b')
    expect(await watch.line(2)).toMatchObject([
      {
        type: 'ADDED',
        object: { kind: 'Table', columnDefinitions: [{ name: 'Name' }, {}, {}], rows: [{ cells: ['a', 0, '0s'] }] },
      },
      {
        type: 'ADDED',
        object: { kind: 'Table', columnDefinitions: null, rows: [{ object: { kind: 'PartialObjectMetadata' } }] },
      },
    ])
    watch.disconnect()
  })

  it('as partial metadata shows nothing else', async () => {
    await create('a', { x: 'y' })
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
    const watch = await api.open(`${configMaps}?watch=true`, { headers: { Accept: accept } })
    const [event] = await watch.line(1)
    expect(event).toMatchObject({
      type: 'ADDED',
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { labels: { x: 'y' } } },
    })
    watch.disconnect()
  })
})

describe('time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('ends a watch cleanly after timeoutSeconds, with a last bookmark shortly before', async () => {
    const watch = await api.open(
      `${configMaps}?watch=true&timeoutSeconds=10&allowWatchBookmarks=true&resourceVersion=1`,
    )
    await settled()
    await vi.advanceTimersByTimeAsync(8_000)
    expect(await watch.line(1)).toMatchObject([{ type: 'BOOKMARK' }])
    await vi.advanceTimersByTimeAsync(2_000)
    await watch.ended
    expect(api.watches.size).toBe(0)
  })

  it('ends a watch that asked for no limit after half an hour to an hour', async () => {
    const watch = await api.open(`${configMaps}?watch=true`)
    await vi.advanceTimersByTimeAsync(30 * 60_000 - 1)
    expect(api.watches.size).toBe(1)
    await vi.advanceTimersByTimeAsync(30 * 60_000)
    await watch.ended
  })
})
