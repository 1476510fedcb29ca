import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { copyName } from '../chaos/names.ts'
import { inside, startLinkPlatform, tenantKey } from '../link/support.ts'
import type { TestPlatform } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { freePort } from '../support/network/free-port.ts'
import { ClusterClient } from './support/cluster-client.ts'
import { certificates, definesCustomResources } from './support/custom-resources.ts'
import { claims, events, pods, secrets } from './support/objects.ts'
import { config, main } from './support/running-pods.ts'
import { soon, stays } from './support/soon.ts'
import { createSyncer, type Syncer } from './support/syncer.ts'
import { accessIn } from './support/tenant-on-host.ts'

const place = { tenant: 'demo', hostNamespace: 'demo-host' }
const claimed = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
const noted = 'tenant-demo-identity'

describe('a process with another store than the one that the copies on the host are of', () => {
  let server: TestServer
  let host: ClusterClient
  let owner: Syncer
  let other: Syncer
  let statusPort: number
  let platform: TestPlatform

  beforeAll(async () => {
    server = await startTestServer({ kinds: builtinKinds() })
    const access = { url: server.url, token: 'admin-token', authority: server.authority }
    host = new ClusterClient(access)
    platform = await startLinkPlatform()
    const license = {
      host: platform.server.url,
      accessKey: await tenantKey(platform, 'tenants'),
      certificateAuthorityData: Buffer.from(platform.server.authority).toString('base64'),
    }
    const options = { ...place, host: access, config: JSON.stringify(config) }
    const environment = (processName: string) => ({ POD_NAME: processName, LICENSE: JSON.stringify(license) })
    statusPort = await freePort()
    owner = createSyncer({
      ...options,
      environment: environment('demo-0'),
      flags: ['--port', String(await freePort())],
    })
    other = createSyncer({
      ...options,
      environment: environment('demo-1'),
      flags: ['--port', String(await freePort()), '--status-port', String(statusPort)],
    })
    await owner.start()
    const virtual = new ClusterClient(accessIn(owner.kubeconfig))
    await virtual.create(claims, { metadata: { namespace: 'default', name: 'data' }, spec: claimed })
    await virtual.create(pods, {
      metadata: { namespace: 'default', name: 'web' },
      spec: { containers: [main], volumes },
    })
    await virtual.close()
    await soon(async () => void (await host.get(pods, place.hostNamespace, copyName(place, 'default', 'web'))))
  })

  afterAll(async () => {
    await owner?.remove()
    await other?.remove()
    await host?.close()
    await server?.stop()
    await platform?.stop()
  })

  const copies = async () => {
    const found = [host.find(pods, place.hostNamespace, copyName(place, 'default', 'web'))]
    found.push(host.find(claims, place.hostNamespace, copyName(place, 'default', 'data')))
    return (await Promise.all(found)).map((copy) => copy !== undefined && copy.metadata.deletionTimestamp === undefined)
  }
  const says = async () => (await (await fetch(`http://127.0.0.1:${statusPort}/debug/sync`)).json()).waits

  it('deletes none of them, beside their owner', async () => {
    other.launch()
    await soon(async () => expect(await says()).toContain('made from another virtual cluster'))
    await soon(async () => {
      // About the namespace of the tenant, which has no Service here.
      const reasons = (await host.list(events, 'default')).map(({ reason }) => reason)
      expect(reasons).toContain('CopiesOfAnother')
    })
    expect(await copies()).toEqual([true, true])
  })

  it('gets no requests through the platform while their owner is linked', async () => {
    await soon(async () => {
      const { text } = await platform.ask('GET', `${inside('demo')}/api/v1/namespaces/default/pods`)
      expect(text).toContain('"name":"web"')
    })
  })

  it('deletes none after their owner has ended, which then continues where it stopped', async () => {
    await owner.kill()
    await other.kill()
    other.launch()
    await soon(async () => expect(await says()).toContain('made from another virtual cluster'))
    await stays(async () => expect(await copies()).toEqual([true, true]))
    await other.kill()
    await owner.start()
    expect(await copies()).toEqual([true, true])
  })

  it('nor if its tenant.yaml switches their kinds off', async () => {
    await owner.kill()
    const off = { enabled: false }
    const toHost = { pods: off, persistentVolumeClaims: off, configMaps: off }
    other.configure(JSON.stringify({ ...config, sync: { toHost } }))
    other.launch()
    await soon(async () => expect(await says()).toContain('made from another virtual cluster'))
    expect(await copies()).toEqual([true, true])
    await other.kill()
    other.configure(JSON.stringify(config))
    await owner.start()
  })

  it('nor if the note of whose they are is lost while their owner runs', async () => {
    await host.patch(secrets, place.hostNamespace, noted, { data: { 'copies-of': null } })
    await soon(async () => {
      const { data } = await host.get(secrets, place.hostNamespace, noted)
      expect(data).toHaveProperty('copies-of')
    })
    other.launch()
    await soon(async () => expect(await says()).toContain('made from another virtual cluster'))
    expect(await copies()).toEqual([true, true])
    await other.kill()
  })

  it('until the operator gives them up', async () => {
    await owner.kill()
    other.launch()
    await soon(async () => expect(await says()).toContain(`the entry copies-of of the Secret ${noted}`))
    await host.patch(secrets, place.hostNamespace, noted, { data: { 'copies-of': null } })
    await soon(async () => expect(await copies()).toEqual([false, false]))
    await other.kill()
    owner.launch()
    await soon(async () => expect(await copies()).toEqual([true, true]))
  })
})

describe('a process with an empty store beside copies of custom resources', () => {
  const toHost = { customResources: { 'certificates.tests.example.com': { enabled: true } } }
  let server: TestServer
  let host: ClusterClient
  let owner: Syncer
  let other: Syncer
  let statusPort: number

  beforeAll(async () => {
    server = await startTestServer({ kinds: builtinKinds() })
    const access = { url: server.url, token: 'admin-token', authority: server.authority }
    host = new ClusterClient(access)
    expect(await definesCustomResources(host)).toBe(true)
    const options = { ...place, host: access, config: JSON.stringify({ ...config, sync: { toHost } }) }
    statusPort = await freePort()
    owner = createSyncer({ ...options, flags: ['--port', String(await freePort())] })
    other = createSyncer({
      ...options,
      flags: ['--port', String(await freePort()), '--status-port', String(statusPort)],
    })
    await owner.start()
    const virtual = new ClusterClient(accessIn(owner.kubeconfig))
    expect(await definesCustomResources(virtual)).toBe(true)
    // A kind that was not served is looked for again when its process starts.
    await owner.kill()
    await owner.start()
    await virtual.create(certificates, { metadata: { namespace: 'default', name: 'web' }, spec: { a: 1 } })
    await virtual.close()
    await soon(async () => void (await host.get(certificates, place.hostNamespace, copyName(place, 'default', 'web'))))
    await owner.kill()
  })

  afterAll(async () => {
    await owner?.remove()
    await other?.remove()
    await host?.close()
    await server?.stop()
  })

  it('syncs nothing, although it does not serve their kind yet', async () => {
    other.launch()
    await soon(async () => {
      const { waits } = await (await fetch(`http://127.0.0.1:${statusPort}/debug/sync`)).json()
      expect(waits).toContain('made from another virtual cluster')
    })
  })
})

describe('two processes with a store each that start before there are copies', () => {
  let server: TestServer
  let host: ClusterClient
  let first: Syncer
  let second: Syncer
  let statusPort: number

  beforeAll(async () => {
    server = await startTestServer({ kinds: builtinKinds() })
    const access = { url: server.url, token: 'admin-token', authority: server.authority }
    host = new ClusterClient(access)
    const options = { ...place, host: access, config: JSON.stringify(config) }
    statusPort = await freePort()
    first = createSyncer({
      ...options,
      flags: ['--port', String(await freePort()), '--status-port', String(statusPort)],
    })
    second = createSyncer({ ...options, flags: ['--port', String(await freePort())] })
    await first.start()
    await second.start()
  })

  afterAll(async () => {
    await first?.remove()
    await second?.remove()
    await host?.close()
    await server?.stop()
  })

  const createIn = async ({ kubeconfig }: Syncer, name: string) => {
    const virtual = new ClusterClient(accessIn(kubeconfig))
    await virtual.create(pods, { metadata: { namespace: 'default', name }, spec: { containers: [main] } })
    await virtual.close()
  }
  const findCopy = (name: string) => host.find(pods, place.hostNamespace, copyName(place, 'default', name))

  it('only the latest one syncs, and deletes no copies of the other', async () => {
    await createIn(second, 'web')
    await soon(async () => expect(await findCopy('web')).toBeDefined())
    await createIn(first, 'other')
    await soon(async () => {
      const { waits } = await (await fetch(`http://127.0.0.1:${statusPort}/debug/sync`)).json()
      expect(waits).toContain('made from another virtual cluster')
    })
    const uid = (await findCopy('web'))?.metadata.uid
    await stays(async () => {
      expect((await findCopy('web'))?.metadata.uid).toBe(uid)
      expect(await findCopy('other')).toBeUndefined()
    })
  })
})
