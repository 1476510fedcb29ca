import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configMap as configMapKind } from '../../src/api/core/config-map.ts'
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

const exceeded = (amounts: string) =>
  expect.objectContaining({ message: expect.stringContaining(`exceeded quota: q, ${amounts}`) })

describe('a quota', () => {
  it('holds from the moment it is there, without a controller', async () => {
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

  it('has room as soon as a deletion is answered', async () => {
    await world.create('resourcequotas', quota({ configmaps: '1' }))
    for (let round = 0; round < 5; round += 1) {
      await world.create('configmaps', configMap(`a${round}`))
      await world.remove('configmaps', `a${round}`)
    }
    await world.create('configmaps', configMap('last'))
  })

  it('takes a change of what it limits at once', async () => {
    await world.create('resourcequotas', quota({ configmaps: '0' }))
    await expect(world.create('configmaps', configMap('a'))).rejects.toEqual(exceeded('requested: configmaps=1'))
    const raised = { type: 'merge', body: bodyOf({ spec: { hard: { configmaps: '1' } } }) } as const
    await world.resource('resourcequotas').patch({ namespace: 'default', name: 'q' }, raised, writeRequest())
    await world.create('configmaps', configMap('a'))
  })

  it('lets a hundred creators at the same time make as many as there is room for', async () => {
    const controller = world.startController()
    await world.create('resourcequotas', quota({ configmaps: '10' }))
    const all = Array.from({ length: 100 }, (_, index) => world.create('configmaps', configMap(`c${index}`)))
    const made = (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled')
    expect(made).toHaveLength(10)
    await eventually(async () => expect((await world.status()).used).toEqual({ configmaps: '10' }))
    await controller.stop()
  })

  it('gives back what was charged for nothing', async () => {
    const controller = world.startController()
    await world.create('resourcequotas', quota({ configmaps: '3' }))
    await world.create('configmaps', configMap('a'))
    await expect(world.create('configmaps', configMap('a'))).rejects.toMatchObject({
      status: { reason: 'AlreadyExists' },
    })
    await eventually(async () => expect((await world.status()).used).toEqual({ configmaps: '1' }))
    await controller.stop()
  })

  it('does not wait for ever for a writer that has gone', async () => {
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

  it('shows nothing of who is charged', async () => {
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

  it('says what containers have to ask for', async () => {
    await world.create('resourcequotas', quota({ 'requests.cpu': '500m', 'limits.memory': '1Gi' }))
    await expect(world.create('pods', podNamed('p', { cpu: '1m' }))).rejects.toMatchObject({
      message: 'pods "p" is forbidden: failed quota: q: must specify limits.memory for: c',
    })
  })

  it('is asked of every quota, and charged to all or none', async () => {
    await world.create('resourcequotas', quota({ configmaps: '5' }, {}, 'large'))
    await world.create('resourcequotas', quota({ 'count/configmaps': '1' }))
    await world.create('configmaps', configMap('a'))
    await expect(world.create('configmaps', configMap('b'))).rejects.toEqual(exceeded('requested: count/configmaps=1'))
    expect((await world.status('large')).used).toEqual({ configmaps: '1' })
  })

  it('counts what a change adds', async () => {
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
