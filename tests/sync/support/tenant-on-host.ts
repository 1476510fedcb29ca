import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { builtinKinds } from '../../../src/api/builtin-kinds.ts'
import { copyName } from '../../chaos/names.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/clusters/api-server.ts'
import { type Access, ClusterClient } from './cluster-client.ts'
import { type Collection, pods, type Thing } from './objects.ts'
import { soon } from './soon.ts'
import { createSyncer, type Syncer } from './syncer.ts'

/**
 * A tenant with its own control plane, on a host that runs in the test itself with all admission rules of a cluster.
 */
export interface TenantOnHost {
  readonly hostServer: TestServer
  readonly host: ClusterClient
  readonly virtual: ClusterClient
  readonly syncer: Syncer
  readonly hostNamespace: string
  hostName(name: string): string
  /** The copy of an object of the namespace `default`, which must exist. */
  copy(kind: Collection, name: string): Promise<Thing>
  /** Plays a scheduler and a kubelet. */
  runPod(name: string, node?: string): Promise<void>
  remove(): Promise<void>
}

export async function startTenantOnHost(config: object, server?: TestServerOptions['server']): Promise<TenantOnHost> {
  const place = { tenant: 'demo', hostNamespace: 'demo-host' }
  const hostServer = await startTestServer({ kinds: builtinKinds(), ...(server && { server }) })
  const access = { url: hostServer.url, token: 'admin-token', authority: hostServer.authority }
  const host = new ClusterClient(access)
  const syncer = createSyncer({ ...place, host: access, config: JSON.stringify(config) })
  await syncer.start()
  const virtual = new ClusterClient(accessIn(syncer.kubeconfig))
  const hostName = (name: string) => copyName(place, 'default', name)
  return {
    hostServer,
    host,
    virtual,
    syncer,
    hostNamespace: place.hostNamespace,
    hostName,
    copy: (kind, name) => host.get(kind, place.hostNamespace, hostName(name)),
    runPod: async (name, node = 'node-1') => {
      const copy = hostName(name)
      await soon(async () => void (await host.get(pods, place.hostNamespace, copy)))
      const target = { apiVersion: 'v1', kind: 'Node', name: node }
      const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: copy }, target }
      await host.request('POST', `/api/v1/namespaces/${place.hostNamespace}/pods/${copy}/binding`, body)
      await host.patch(pods, place.hostNamespace, copy, { status: { phase: 'Running' } }, 'status')
      await soon(async () => {
        const { status } = await virtual.get(pods, 'default', name)
        if ((status as { phase?: string }).phase !== 'Running') throw new Error(`${name} does not run yet`)
      })
    },
    remove: async () => {
      await virtual.close()
      await syncer.remove()
      await host.close()
      await hostServer.stop()
    },
  }
}

/** The access in a kubeconfig with one cluster and one user. */
export function accessIn(file: string): Access {
  const { clusters, users } = parse(readFileSync(file, 'utf8'))
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster
  return { url: server, token: users[0].user.token, authority: Buffer.from(authority, 'base64').toString() }
}
