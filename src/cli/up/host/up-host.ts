import type { KubeClient } from '../../../client/contract.ts'
import { actingAsAccount } from '../../../client/kubeconfig/acting-as.ts'
import type { ClusterAccess } from '../../../client/kubeconfig/contract.ts'
import { objectNames } from '../../create/manifests/names.ts'
import { existing } from '../../host/objects.ts'
import type { LocalInstance } from '../local/local-instance.ts'

/** The cluster that hosts the virtual clusters of this process. */
export interface UpHost {
  /** Identifies the host of a data directory: virtual clusters of one host do not belong on another. */
  readonly id: string
  readonly url: string
  /** The name on the platform. */
  readonly displayName: string
  readonly client: KubeClient
  /** One for each virtual cluster: a host divides its request slots and watches among callers. */
  accessOf(instance: LocalInstance): Promise<ClusterAccess>
  /** The kubeconfig with which the platform reaches it. Absent: the platform does not. */
  readonly kubeconfig?: string
  /** Set if it is a real cluster. */
  readonly real?: RealHost
}

export interface RealHost {
  /** The context of the kubeconfig. */
  readonly context: string
  /** Where its Pods reach this machine. Absent: they do not. */
  readonly reachedAt?: string
}

/** A cluster of the user's kubeconfig. Virtual clusters get no more of the user's rights than in a Pod. */
export async function realHost(access: ClusterAccess, client: KubeClient, real: RealHost): Promise<UpHost> {
  return {
    id: await clusterId(client, real.context),
    url: access.url.href.replace(/\/$/, ''),
    displayName: real.context,
    client,
    accessOf: async ({ namespace, tenant }) => actingAsAccount(access, namespace, objectNames.account(tenant)),
    real,
  }
}

/** A cluster has no other name for itself. */
async function clusterId(client: KubeClient, context: string): Promise<string> {
  const found = await existing(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
  const { uid } = found?.metadata ?? {}
  if (uid === undefined) throw new Error(`the cluster of the context ${context} has no namespace kube-system`)
  return `cluster ${uid}`
}
