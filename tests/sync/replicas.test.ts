import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from './support/clusters.ts'
import { configMaps } from './support/objects.ts'
import { soon, stays } from './support/soon.ts'
import { openStage, type Stage, type Tenant } from './support/stage.ts'

const controlPlane = { replicas: 2, virtualKubeconfig: { secretName: 'given-as-a-file' } }
const config = { controlPlane, sync: { toHost: { configMaps: { all: true } } } }
const leases = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' }
/** A lease lasts 15 s, and the machine may be slow. */
const takeoverMs = 60_000

describe('two replicas of one tenant', () => {
  let virtual: Cluster
  let host: Cluster
  let stage: Stage
  let first: Tenant
  let second: Tenant
  let namespace: string

  beforeAll(async () => {
    ;[virtual, host] = await Promise.all([startCluster('embedded'), startCluster('embedded')])
    stage = openStage({ virtual: 'embedded', host: 'embedded' }, { virtual, host })
    const place = { name: 'twins', hostNamespace: await stage.newHostNamespace(), config, isAsleep: true }
    first = await stage.newTenant(place)
    second = await stage.newTenant(place)
    namespace = await stage.newNamespace()
    await first.syncer.start()
    second.syncer.launch()
  })

  afterAll(async () => {
    await stage?.clear()
    await virtual?.remove()
    await host?.remove()
  })

  const holder = async () => {
    const [lease] = await host.client.list(leases, first.hostNamespace)
    const spec = lease?.spec
    return typeof spec === 'object' && spec !== null && 'holderIdentity' in spec ? spec.holderIdentity : undefined
  }
  const carries = async (name: string, withinMs?: number) => {
    await virtual.client.create(configMaps, { metadata: { namespace, name }, data: { name } })
    await soon(async () => expect((await first.copy(configMaps, namespace, name)).data).toEqual({ name }), withinMs)
  }

  it('one of them syncs, and the lease says which', async () => {
    await carries('with-both')
    expect(await holder()).toBeTruthy()
  })

  it('when the leader is killed, the other takes over', { timeout: 2 * takeoverMs }, async () => {
    const before = await holder()
    await first.syncer.kill()
    await carries('after-the-kill', takeoverMs)
    expect(await holder()).not.toBe(before)
  })

  it('when the leader stops gracefully, the other does not wait for the lease to expire', {
    timeout: 2 * takeoverMs,
  }, async () => {
    first.syncer.launch()
    await stays(async () => expect(first.syncer.unexpectedEnd).toBeUndefined(), 3_000)
    expect(await second.syncer.stop()).toBe('0')
    await carries('after-the-stop', 12_000)
  })

  it('a leader that was frozen writes nothing when it continues', { timeout: 3 * takeoverMs }, async () => {
    second.syncer.launch()
    await stays(async () => expect(second.syncer.unexpectedEnd).toBeUndefined(), 2_000)
    const before = await holder()
    first.syncer.freeze()
    await carries('while-it-stood', takeoverMs)
    const copy = await first.patchCopy(configMaps, namespace, 'while-it-stood', { data: { edited: 'yes' } })
    first.syncer.thaw()
    await soon(async () =>
      expect((await first.copy(configMaps, namespace, 'while-it-stood')).data).toEqual({ name: 'while-it-stood' }),
    )
    const { resourceVersion } = (await first.copy(configMaps, namespace, 'while-it-stood')).metadata
    expect(resourceVersion).not.toBe(copy.metadata.resourceVersion)
    await stays(async () => {
      expect((await first.copy(configMaps, namespace, 'while-it-stood')).metadata.resourceVersion).toBe(resourceVersion)
      expect(await holder()).not.toBe(before)
    }, 3_000)
  })
})
