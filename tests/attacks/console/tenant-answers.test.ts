import { afterEach, describe, expect, test, vi } from 'vitest'
import { managementOf } from '../../../console/src/api/management.ts'
import { pathOf } from '../../../console/src/api/path.ts'
import { objectOf } from '../../../console/src/api/shape.ts'
import { askTenant, textWithin } from '../../../console/src/api/tenant-answer.ts'
import { lineBatches } from '../../../console/src/live/lines.ts'
import { readBothSides } from '../../../console/src/virtual-clusters/both-sides.ts'
import { patchCounts } from '../../../console/src/virtual-clusters/patch-counts.ts'
import { syncStateOf } from '../../../console/src/virtual-clusters/sync-shape.ts'
import { countsOf } from '../../../console/src/virtual-clusters/sync-state.ts'

afterEach(() => vi.unstubAllGlobals())

/** An endless answer. Reports how much of it the client has read. */
function endless(): {
  readonly body: ReadableStream<Uint8Array>
  readonly taken: () => number
  readonly isOver: () => boolean
} {
  let taken = 0
  let isOver = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
    cancel: () => {
      isOver = true
    },
  })
  return { body, taken: () => taken, isOver: () => isOver }
}

const answering = (body: BodyInit) => vi.stubGlobal('fetch', async () => new Response(body, { status: 200 }))

describe('the sync report of a hostile virtual cluster', () => {
  test.each([
    ['nothing', null],
    ['a text', 'all is well'],
    ['a list', []],
    ['kinds that are a number', { kinds: 7 }],
    ['kinds that are an object', { kinds: { length: 1 } }],
    ['a kind that is null', { kinds: [null] }],
    ['a kind that is a text', { kinds: ['endpoints'] }],
    ['objects that are a text', { kinds: [{ kind: 'a', objects: 'x' }] }],
    ['an object that is a number', { kinds: [{ kind: 'a', objects: [7] }] }],
    ['counts that are a list', { kinds: [{ kind: 'a', counts: [] }] }],
  ])('is reported as unreadable when it is %s', async (_, value) => {
    answering(JSON.stringify(value))
    await expect(askTenant('/x', syncStateOf)).rejects.toThrow('cannot be shown')
  })

  test.each([
    ['objects for texts', { kinds: [{ kind: {}, reason: [], objects: [{ name: {}, message: { $$typeof: 'x' } }] }] }],
    ['texts for numbers', { kinds: [{ kind: 'a', counts: { 'in-step': 'many', failing: {} }, queueLength: 'x' }] }],
    ['invalid numbers', { kinds: [{ kind: 'a', counts: { failing: -5, waiting: Number.POSITIVE_INFINITY } }] }],
    ['invalid states', { kinds: [{ kind: 'a', state: '__proto__', objects: [{ name: 'x', state: 'constructor' }] }] }],
    ['members that are inherited', JSON.parse('{"__proto__": {"kinds": 1}, "kinds": []}')],
  ])('is shown as far as possible when it has %s', (_, value) => {
    const state = syncStateOf(value)
    for (const count of Object.values(countsOf(state))) expect(count).toBe(0)
    for (const { kind, objects } of state.kinds ?? []) {
      expect(typeof kind).toBe('string')
      for (const { name, message = '' } of objects) expect([typeof name, typeof message]).toEqual(['string', 'string'])
    }
  })

  test('is truncated if it is too long to read', () => {
    const objects = Array.from({ length: 20_000 }, () => ({ name: 'n'.repeat(100_000).slice(0, 2_000) }))
    const state = syncStateOf({
      kinds: Array.from({ length: 1_000 }, () => ({ kind: 'a', objects: objects.slice(0, 3) })),
    })
    expect(state.kinds).toHaveLength(200)
    expect(state.kinds?.[0]?.objects[0]?.name.length).toBeLessThan(1_100)
    expect(syncStateOf({ kinds: [{ kind: 'a', objects }] }).kinds?.[0]?.objects).toHaveLength(5_000)
  })

  test('does not fill the browser if it is endless', async () => {
    const { body, taken, isOver } = endless()
    answering(body)
    await expect(askTenant('/x', syncStateOf)).rejects.toThrow('longer than')
    expect(taken()).toBeLessThan(5 * 1024 * 1024)
    expect(isOver()).toBe(true)
  })

  test('is unreadable when it is not JSON', async () => {
    answering('<html>')
    await expect(askTenant('/x', syncStateOf)).rejects.toThrow('no JSON')
  })

  test.each([
    ['metrics that look like a label without an end', `tenant_patch_results_total{${'a'.repeat(200_000)}`],
    ['many beginnings of a metric', 'tenant_patch_results_total{'.repeat(20_000)],
  ])('is parsed quickly with %s', (_, text) => {
    expect(patchCounts(text).size).toBe(0)
  })

  test('is refused when it is nested deeper than any real object', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
    expect(() => objectOf({ metadata: { name: 'x' }, spec: deep })).toThrow('nested too deep')
  })

  test('is refused if a line of a watch never ends', async () => {
    const lines = lineBatches(endless().body)
    await expect(lines.next()).rejects.toThrow('too long')
  })

  test('is read only up to a limit', async () => {
    const { body, isOver } = endless()
    await expect(textWithin(body, 100_000)).rejects.toThrow('100000 bytes')
    expect(isOver()).toBe(true)
  })
})

describe('a path', () => {
  test.each([
    '.',
    '..',
    '../x',
    'a/b',
    'a%2fb',
    '%2e%2e',
    'a?b',
    'a#b',
    '',
    'a\\b',
    'a b',
    'a\n',
    'a..b',
    '\u202e',
    'a'.repeat(300),
  ])('is not built from %j', (part) => {
    expect(() => pathOf('apis', part)).toThrow('is not a valid name')
    expect(() => managementOf('management.example').path('users', { name: part })).toThrow('is not a valid name')
  })

  test('is built from what objects are called', () => {
    expect(pathOf('apis', 'apps.example', 'v1beta1', 'a-b.c', 'system:node')).toBe(
      '/apis/apps.example/v1beta1/a-b.c/system%3Anode',
    )
  })

  const virtualCluster = {
    apiVersion: 'v1',
    kind: 'VirtualClusterInstance',
    metadata: { name: 'dev', namespace: 'p-a' },
    spec: { clusterRef: { cluster: 'host' } },
  }

  test.each([
    [
      'a group that leads elsewhere',
      { group: '../../../../cluster/host/apis/apps', version: 'v1', resource: 'secrets' },
      'a/b',
    ],
    [
      'a version that leads elsewhere',
      { group: '', version: 'v1/../../../cluster/host/api/v1', resource: 'secrets' },
      'a/b',
    ],
    ['a resource that leads elsewhere', { group: '', version: 'v1', resource: '../..' }, 'a/b'],
    ['a name that leads elsewhere', { group: '', version: 'v1', resource: 'configmaps' }, 'a/..'],
    ['a namespace that leads elsewhere', { group: '', version: 'v1', resource: 'configmaps' }, '../b'],
  ])('of another cluster cannot be requested with %s', async (_, type, name) => {
    const asked: unknown[] = []
    vi.stubGlobal('fetch', async (path: unknown) => {
      asked.push(path)
      return new Response('{}')
    })
    await expect(readBothSides(virtualCluster, type, name)).rejects.toThrow('is not a valid name')
    expect(asked).toEqual([])
  })

  test('on the host does not follow what an annotation says it was imported from', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path)
      const annotations = { 'tenant.internal/imported-from': 'x/../../../../../project/other/virtualcluster/v/api' }
      return new Response(JSON.stringify({ metadata: { name: 'a', annotations } }))
    })
    const { host, hostProblem } = await readBothSides(
      virtualCluster,
      { group: '', version: 'v1', resource: 'configmaps' },
      'a/b',
    )
    expect(host).toBeUndefined()
    expect(hostProblem).toMatchObject({ message: expect.stringContaining('is not a valid name') })
    expect(asked).toHaveLength(1)
  })
})
