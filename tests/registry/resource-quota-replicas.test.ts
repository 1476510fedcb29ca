import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import type { Store } from '../../src/storage/contract.ts'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { eventually } from '../support/eventually.ts'
import { configMap, namespaceNamed } from '../support/registry.ts'
import { type Etcd, patientStore, startEtcd } from '../support/stores/etcd.ts'
import { type QuotaWorld, quota, startQuotaWorld } from './quota-world.ts'

let etcd: Etcd
const stores: Store[] = []
const replicas: QuotaWorld[] = []
const controllers: Controller[] = []

beforeAll(async () => {
  etcd = await startEtcd()
  for (let index = 0; index < 2; index += 1) {
    const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/tenant', ...patientStore })
    const replica = await startQuotaWorld(store, systemClock)
    stores.push(store)
    replicas.push(replica)
    controllers.push(replica.startController())
  }
})

afterAll(async () => {
  for (const controller of controllers) await controller.stop()
  for (const { registry } of replicas) await registry.stop()
  for (const store of stores) await store.close()
  await etcd.remove()
})

function replica(index: number): QuotaWorld {
  const found = replicas[index % replicas.length]
  if (found === undefined) throw new Error('no replica was started')
  return found
}

/** How many of a hundred creators at once, at both replicas, succeed. */
async function hundredCreate(prefix: string): Promise<number> {
  const all = Array.from({ length: 100 }, (_, index) =>
    replica(index).create('configmaps', configMap(`${prefix}${index}`)),
  )
  return (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length
}

it('a hundred creators at two replicas create as many objects as the quota allows, and again after deletions', async () => {
  await replica(0).create('namespaces', namespaceNamed('default'))
  await replica(0).create('resourcequotas', quota({ configmaps: '10' }))
  await eventually(async () => expect((await replica(1).status()).used).toEqual({ configmaps: '0' }))
  expect(await hundredCreate('a')).toBe(10)
  await eventually(async () => expect((await replica(1).status()).used).toEqual({ configmaps: '10' }))
  const documents = [...(replica(0).registry.engine.find('', 'ConfigMap')?.cache.current().values() ?? [])]
  for (const { name } of documents.slice(0, 4)) await replica(0).remove('configmaps', name)
  expect(await hundredCreate('b')).toBe(4)
})

it('a deletion at one replica frees the quota at the other at once', async () => {
  const [document] = [...(replica(0).registry.engine.find('', 'ConfigMap')?.cache.current().values() ?? [])]
  await replica(0).remove('configmaps', document?.name ?? '')
  await replica(1).create('configmaps', configMap('next'))
})
