import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { configMap as configMapKind } from '../../src/api/core/config-map.ts'
import { tooLarge } from '../../src/api/error.ts'
import type { QuotaBook } from '../../src/registry/resource-quota/quota-book.ts'
import type { Store } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, configMap, namespaceNamed, type TestClock, testClock, writeRequest } from '../support/registry.ts'
import { podNamed, type QuotaWorld, quota, serviceNamed, startQuotaWorld } from './quota-world.ts'

let directory: string
let store: Store
let clock: TestClock
let world: QuotaWorld

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-quota-'))
  store = await openLmdbStore({ directory })
  clock = testClock()
  world = await startQuotaWorld(store, clock)
  await world.create('namespaces', namespaceNamed('default'))
})

afterEach(async () => {
  await world.registry.stop()
  await store.close()
  await rm(directory, { recursive: true, force: true })
})

/** A store whose next update can be delayed. */
function holding(inner: Store) {
  let hold: Promise<void> | undefined
  let reached = (): void => {}
  const isHolding = new Promise<void>((resolve) => {
    reached = resolve
  })
  const update: Store['update'] = async (...given) => {
    const waiting = hold
    hold = undefined
    if (waiting !== undefined) reached()
    await waiting
    return inner.update(...given)
  }
  const held = new Proxy(inner, {
    get: (target, property) => {
      if (property === 'update') return update
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    store: held,
    isHolding,
    holdNextUpdate: () => {
      let release = (): void => {}
      hold = new Promise<void>((resolve) => {
        release = resolve
      })
      return () => release()
    },
  }
}

const exceeded = (amounts: string) =>
  expect.objectContaining({ message: expect.stringContaining(`exceeded quota: q, ${amounts}`) })

/** The same book, which also reports the counted namespaces. */
function watched(book: QuotaBook, counting: (namespace: string) => void): QuotaBook {
  return new Proxy(book, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      if (property !== 'refresh') return value.bind(target)
      return async (namespace: string) => {
        counting(namespace)
        return target.refresh(namespace)
      }
    },
  })
}

function patch(plural: string, name: string, change: unknown) {
  const merge = { type: 'merge', body: bodyOf(change) } as const
  return world.resource(plural).patch({ namespace: 'default', name }, merge, writeRequest())
}

/** How often a text is parsed during an action. */
async function parsesOf(text: string, act: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    await act()
    return parse.mock.calls.filter(([parsed]) => String(parsed).includes(text)).length
  } finally {
    parse.mockRestore()
  }
}

describe('counting', () => {
  it('ignores changes that do not affect a sum', async () => {
    const counted: string[] = []
    await world.create('namespaces', namespaceNamed('other'))
    await world.create('resourcequotas', quota({ configmaps: '5' }))
    await world.create('resourcequotas', { ...quota({ configmaps: '5' }), metadata: { name: 'q', namespace: 'other' } })
    await world.create('configmaps', configMap('a'))
    for (const namespace of ['default', 'other']) await world.book.refresh(namespace)
    const controller = world.startController(watched(world.book, (namespace) => counted.push(namespace)))
    await eventually(() => expect(counted).toEqual(['default', 'other']))
    counted.length = 0
    await patch('configmaps', 'a', { data: { b: 'c' } })
    await world.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'default' },
      involvedObject: { namespace: 'default' },
    })
    await world.create('configmaps', configMap('b', {}, { namespace: 'other' }))
    await eventually(() => expect(counted).toContain('other'))
    expect(counted).not.toContain('default')
    await controller.stop()
  })

  it('reads no object twice, whatever the scopes are', async () => {
    await world.create('resourcequotas', quota({ pods: '9' }, { scopes: ['BestEffort'] }))
    for (const name of ['a', 'b']) await world.create('pods', podNamed(name))
    await world.book.refresh('default')
    expect(await parsesOf('', () => world.book.readCounted('default'))).toBe(0)
  })

  it('is done by the writers if they write all the time', async () => {
    const held = holding(store)
    const other = await startQuotaWorld(held.store, clock)
    await other.create('resourcequotas', quota({ configmaps: '9' }))
    for (const name of ['a', 'b']) await other.create('configmaps', configMap(name))
    await other.remove('configmaps', 'a')
    const release = held.holdNextUpdate()
    const refreshed = other.book.refresh('default')
    await held.isHolding
    await other.create('configmaps', configMap('c'))
    release()
    expect(await refreshed).toBe(false)
    await other.create('configmaps', configMap('d'))
    expect((await other.status()).used).toEqual({ configmaps: '3' })
    await other.registry.stop()
  })

  it('runs once for concurrent dry runs', async () => {
    await world.create('resourcequotas', quota({ configmaps: '0' }))
    await world.book.refresh('default')
    const counts = vi.spyOn(world.registry, 'contexts')
    const dryRun = writeRequest({ dryRun: true })
    const all = Array.from({ length: 20 }, (_, index) => world.create('configmaps', configMap(`d${index}`), dryRun))
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.map(({ status }) => status)).toEqual(all.map(() => 'rejected'))
    // On a busy machine some pause before they ask, and then share the count of the next ones.
    expect(counts.mock.calls.length).toBeLessThan(all.length / 2)
    counts.mockRestore()
  })

  it('logs no refusals', async () => {
    const reported: unknown[] = []
    let tries = 0
    const refused = watched(world.book, () => {
      tries += 1
      throw tooLarge('no room for its status')
    })
    const controller = world.startController(refused, (_, __, error) => reported.push(error))
    await world.create('resourcequotas', quota({ configmaps: '1' }))
    await eventually(() => expect(tries).toBeGreaterThan(1))
    expect(reported).toEqual([])
    await controller.stop()
  })
})

describe('a quota', () => {
  it('is in force from its creation, without a controller', async () => {
    await world.create('configmaps', configMap('a'))
    await world.create('resourcequotas', quota({ configmaps: '2' }))
    await world.create('configmaps', configMap('b'))
    await expect(world.create('configmaps', configMap('c'))).rejects.toMatchObject({
      status: { code: 403, details: { name: 'c', kind: 'configmaps' } },
      message:
        'configmaps "c" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2',
    })
    expect(await world.status()).toEqual({ hard: { configmaps: '2' }, used: { configmaps: '2' } })
  })

  it('has room as soon as a deletion is acknowledged', async () => {
    await world.create('resourcequotas', quota({ configmaps: '1' }))
    for (let round = 0; round < 5; round += 1) {
      await world.create('configmaps', configMap(`a${round}`))
      await world.remove('configmaps', `a${round}`)
    }
    await world.create('configmaps', configMap('last'))
  })

  it('applies a change of its limits at once', async () => {
    await world.create('resourcequotas', quota({ configmaps: '0' }))
    await expect(world.create('configmaps', configMap('a'))).rejects.toEqual(exceeded('requested: configmaps=1'))
    const raised = { type: 'merge', body: bodyOf({ spec: { hard: { configmaps: '1' } } }) } as const
    await world.resource('resourcequotas').patch({ namespace: 'default', name: 'q' }, raised, writeRequest())
    await world.create('configmaps', configMap('a'))
  })

  it('lets a hundred concurrent creators create as many objects as there is room for', async () => {
    const controller = world.startController()
    await world.create('resourcequotas', quota({ configmaps: '10' }))
    const all = Array.from({ length: 100 }, (_, index) => world.create('configmaps', configMap(`c${index}`)))
    const made = (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled')
    expect(made).toHaveLength(10)
    await eventually(async () => expect((await world.status()).used).toEqual({ configmaps: '10' }))
    await controller.stop()
  })

  it('releases the charge of a failed write', async () => {
    const controller = world.startController()
    await world.create('resourcequotas', quota({ configmaps: '3' }))
    await world.create('configmaps', configMap('a'))
    await expect(world.create('configmaps', configMap('a'))).rejects.toMatchObject({
      status: { reason: 'AlreadyExists' },
    })
    await eventually(async () => expect((await world.status()).used).toEqual({ configmaps: '1' }))
    await controller.stop()
  })

  it('does not wait forever for a writer that disconnected', async () => {
    await world.create('resourcequotas', quota({ configmaps: '1' }))
    const other = await startQuotaWorld(store, clock)
    const object = configMap('never', {}, { uid: 'u' })
    const write = { id: { namespace: 'default', name: 'never' }, object, sealed: undefined, bytes: 100 }
    await other.charges.reserving(configMapKind)?.(write, writeRequest())
    await expect(world.create('configmaps', configMap('a'))).rejects.toEqual(exceeded('requested: configmaps=1'))
    clock.advance(121_000)
    await world.create('configmaps', configMap('a'))
    await other.registry.stop()
  })

  it('is parsed once for each of its states', async () => {
    await world.create('resourcequotas', quota({ configmaps: '5' }))
    await world.create('resourcequotas', quota({ pods: '5' }, {}, 'unrelated'))
    await world.create('configmaps', configMap('a'))
    expect(await parsesOf('"unrelated"', () => world.create('configmaps', configMap('b')))).toBe(0)
  })

  it('has room when an object of another process is deleted', async () => {
    await world.create('resourcequotas', quota({ configmaps: '1' }))
    await world.create('configmaps', configMap('a'))
    const next = await startQuotaWorld(store, clock)
    const controller = next.startController()
    await next.remove('configmaps', 'a')
    await next.create('configmaps', configMap('b'))
    await controller.stop()
    await next.registry.stop()
  })

  it('is not charged by a dry run, and refuses one', async () => {
    await world.create('resourcequotas', quota({ configmaps: '1' }))
    const dryRun = writeRequest({ dryRun: true })
    await world.create('configmaps', configMap('a'), dryRun)
    await world.create('configmaps', configMap('a'))
    await expect(world.create('configmaps', configMap('b'), dryRun)).rejects.toEqual(
      exceeded('requested: configmaps=1'),
    )
    expect((await world.status()).used).toEqual({ configmaps: '1' })
  })

  it('does not show who is charged', async () => {
    await world.create('resourcequotas', quota({ configmaps: '1' }))
    await world.create('configmaps', configMap('a'))
    const { object } = await world
      .resource('resourcequotas')
      .get(
        { namespace: 'default', name: 'q' },
        { user: { name: 'u', groups: [] }, resourceVersion: '', signal: new AbortController().signal },
      )
    expect(Object.keys(object).sort()).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status'])
    expect(JSON.stringify(object)).not.toContain('charges')
  })

  it('limits at most a thousand resources', async () => {
    const hard = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, index) => [`requests.example.com/r${index}`, '1']),
    )
    await expect(world.create('resourcequotas', quota(hard))).rejects.toMatchObject({
      message: expect.stringContaining('spec.hard: Too many: 1001: must have at most 1000 items'),
    })
  })

  it('reports what containers must request', async () => {
    await world.create('resourcequotas', quota({ 'requests.cpu': '500m', 'limits.memory': '1Gi' }))
    await expect(world.create('pods', podNamed('p', { cpu: '1m' }))).rejects.toMatchObject({
      message: 'pods "p" is forbidden: failed quota: q: must specify limits.memory for: c',
    })
  })

  it('reports what containers must request before what exceeds another quota', async () => {
    await world.create('resourcequotas', quota({ pods: '0' }, {}, 'a'))
    await world.create('resourcequotas', quota({ 'limits.memory': '1Gi' }, {}, 'b'))
    await expect(world.create('pods', podNamed('p', { cpu: '1m' }))).rejects.toMatchObject({
      message: 'pods "p" is forbidden: failed quota: b: must specify limits.memory for: c',
    })
  })

  it('is checked against every quota, and charged to all or none', async () => {
    await world.create('resourcequotas', quota({ configmaps: '5' }, {}, 'large'))
    await world.create('resourcequotas', quota({ 'count/configmaps': '1' }))
    await world.create('configmaps', configMap('a'))
    await expect(world.create('configmaps', configMap('b'))).rejects.toEqual(exceeded('requested: count/configmaps=1'))
    expect((await world.status('large')).used).toEqual({ configmaps: '1' })
  })

  it('counts the additions of a change', async () => {
    await world.create('resourcequotas', quota({ services: '5', 'services.nodeports': '0' }))
    await world.create('services', serviceNamed('s'))
    const change = { type: 'merge', body: bodyOf({ spec: { type: 'NodePort' } }) } as const
    const changed = world.resource('services').patch({ namespace: 'default', name: 's' }, change, writeRequest())
    await expect(changed).rejects.toEqual(exceeded('requested: services.nodeports=1, used: services.nodeports=0'))
  })

  it('counts only the pods of its scopes', async () => {
    await world.create('resourcequotas', quota({ pods: '1' }, { scopes: ['BestEffort'] }))
    await world.create('pods', podNamed('asking', { cpu: '1m' }))
    await world.create('pods', podNamed('idle'))
    await expect(world.create('pods', podNamed('other'))).rejects.toEqual(exceeded('requested: pods=1, used: pods=1'))
    await world.create('pods', podNamed('asking-too', { cpu: '1m' }))
  })
})
