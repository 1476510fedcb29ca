import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/network/free-port.ts'
import { type Cluster, startCluster } from './support/clusters.ts'
import { configMaps } from './support/objects.ts'
import { soon, stays } from './support/soon.ts'
import { openStage, type Stage, type Tenant } from './support/stage.ts'

const controlPlane = { replicas: 2, virtualKubeconfig: { secretName: 'given-as-a-file' } }
const config = { controlPlane, sync: { toHost: { configMaps: { all: true } } } }
const leases = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' }

describe('two replicas of one tenant', () => {
  let virtual: Cluster
  let host: Cluster
  let stage: Stage
  let first: Tenant
  let second: Tenant
  let namespace: string
  /** Where each reports its state. */
  let ports: readonly [number, number]

  beforeAll(async () => {
    ;[virtual, host] = await Promise.all([startCluster('embedded'), startCluster('embedded')])
    stage = openStage({ virtual: 'embedded', host: 'embedded' }, { virtual, host })
    const place = { name: 'twins', hostNamespace: await stage.newHostNamespace(), config, isAsleep: true }
    ports = [await freePort(), await freePort()]
    first = await stage.newTenant({ ...place, flags: ['--status-port', String(ports[0])] })
    second = await stage.newTenant({ ...place, flags: ['--status-port', String(ports[1])] })
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
  const carries = async (name: string) => {
    await virtual.client.create(configMaps, { metadata: { namespace, name }, data: { name } })
    await soon(async () => expect((await first.copy(configMaps, namespace, name)).data).toEqual({ name }))
  }
  const standsBy = (port: number) =>
    soon(async () => {
      const state = await (await fetch(`http://127.0.0.1:${port}/debug/sync`)).text()
      expect(state).toContain('another process syncs')
    })

  it('one of them syncs, and the lease says which', async () => {
    await carries('with-both')
    expect(await holder()).toBeTruthy()
  })

  it('when the leader is killed, the other takes over', async () => {
    const before = await holder()
    await first.syncer.kill()
    await carries('after-the-kill')
    expect(await holder()).not.toBe(before)
  })

  it('when the leader stops gracefully, the other does not wait for the lease to expire', async () => {
    first.syncer.launch()
    await standsBy(ports[0])
    const before = await holder()
    expect(before).toBeTruthy()
    expect(await second.syncer.stop()).toBe('0')
    expect(await holder()).not.toBe(before)
    await carries('after-the-stop')
    expect(first.syncer.unexpectedEnd).toBeUndefined()
  })

  it('a leader that was frozen writes nothing when it continues', async () => {
    second.syncer.launch()
    await standsBy(ports[1])
    const before = await holder()
    first.syncer.freeze()
    await carries('while-it-stood')
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
