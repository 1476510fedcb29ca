import { startEmbeddedCluster } from '../../support/clusters/embedded-cluster.ts'
import { type Kubernetes, startKubernetes } from '../../support/clusters/kubernetes.ts'
import { findKubernetes } from '../../support/clusters/kubernetes-programs.ts'
import type { RunningCluster } from '../../support/clusters/running-cluster.ts'
import { askForShared } from '../../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../../support/shared/contract.ts'
import { ClusterClient } from './cluster-client.ts'

export type Flavor = 'embedded' | 'real'

/** One world: an API server in a separate process, and a client. */
export interface Cluster {
  readonly flavor: Flavor
  readonly server: RunningCluster
  readonly client: ClusterClient
  remove(): Promise<void>
}

/** A cluster that other suites may use, too: tests use their own namespaces, and do not end it. */
export interface HostCluster {
  readonly server: SharedKubernetes
  readonly client: ClusterClient
  remove(): Promise<void>
}

export async function startHost(flavor: Flavor): Promise<HostCluster> {
  if (flavor === 'embedded') return startCluster('embedded')
  const server = await askForShared('kubernetes')
  const client = new ClusterClient(server)
  return { server, client, remove: () => client.close() }
}

export async function startCluster(flavor: Flavor): Promise<Cluster> {
  const server = await (flavor === 'embedded' ? startEmbeddedCluster() : startRealCluster())
  const client = new ClusterClient(server)
  return {
    flavor,
    server,
    client,
    remove: async () => {
      await client.close()
      await server.remove()
    },
  }
}

export function startRealCluster(): Promise<Kubernetes> {
  const search = findKubernetes()
  if (search.outcome === 'missing') throw new Error(search.reason)
  return startKubernetes(search.programs)
}
