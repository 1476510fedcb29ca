import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyName } from '../chaos/names.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Etcd, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { ClusterClient } from './support/cluster-client.ts'
import { type HostCluster, startHost } from './support/clusters.ts'
import { endpoints, oneAddress } from './support/objects.ts'
import { soon } from './support/soon.ts'
import { createSyncer, type Syncer } from './support/syncer.ts'
import { accessIn } from './support/tenant-on-host.ts'

const missing = missingEtcd()
const places = [
  { tenant: 'first', hostNamespace: 'shared-first' },
  { tenant: 'second', hostNamespace: 'shared-second' },
] as const

describe.skipIf(missing !== undefined)(`two virtual clusters that share an etcd (${missing ?? 'real'})`, () => {
  let host: HostCluster
  let etcd: Etcd
  const tenants: Syncer[] = []
  const clients: ClusterClient[] = []

  beforeAll(async () => {
    etcd = await startEtcd()
    host = await startHost('embedded')
    for (const place of places) {
      const store = `etcd:${etcd.endpoint}?prefix=/virtual-clusters/${place.hostNamespace}/${place.tenant}`
      const flags = ['--port', String(await freePort()), '--store', store]
      tenants.push(createSyncer({ ...place, host: host.server, config: '{}', flags }))
    }
    await Promise.all(tenants.map((tenant) => tenant.start()))
    clients.push(...tenants.map(({ kubeconfig }) => new ClusterClient(accessIn(kubeconfig))))
  })

  afterAll(async () => {
    for (const client of clients) await client.close()
    for (const tenant of tenants) await tenant.remove()
    await host?.remove()
    await etcd?.remove()
  })

  const copyOf = (place: (typeof places)[number], name: string) =>
    host.client.get(endpoints, place.hostNamespace, copyName(place, 'default', name))

  it('each keeps and syncs its own objects, even after it was killed', async () => {
    const addresses = ['10.0.0.1', '10.0.0.2']
    for (const [index, client] of clients.entries()) {
      const subsets = oneAddress(addresses[index] ?? '')
      await client.create(endpoints, { metadata: { namespace: 'default', name: 'same' }, subsets })
    }
    for (const tenant of tenants) await tenant.kill()
    await Promise.all(tenants.map((tenant) => tenant.start()))
    for (const [index, place] of places.entries()) {
      const subsets = oneAddress(addresses[index] ?? '')
      expect((await clients[index]?.get(endpoints, 'default', 'same'))?.subsets).toEqual(subsets)
      await soon(async () => expect((await copyOf(place, 'same')).subsets).toEqual(subsets))
    }
  })

  it('a deletion in one does not affect the other', async () => {
    const [first, second] = places
    await clients[0]?.request('DELETE', '/api/v1/namespaces/default/endpoints/same')
    const name = copyName(first, 'default', 'same')
    await soon(async () => expect(await host.client.find(endpoints, first.hostNamespace, name)).toBeUndefined())
    expect((await clients[1]?.get(endpoints, 'default', 'same'))?.subsets).toEqual(oneAddress('10.0.0.2'))
    expect((await copyOf(second, 'same')).subsets).toEqual(oneAddress('10.0.0.2'))
  })
})
