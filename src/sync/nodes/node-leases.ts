import { nodeLeaseNamespace } from '../../api/core/nodes/kubelet.ts'
import { ApiError, isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Lease } from '../../api/types/coordination-v1.ts'
import type { KubeClient, ResourceType, ServedResources } from '../../client/contract.ts'

interface LeaseClient extends Pick<KubeClient, 'create' | 'get' | 'update'> {
  readonly served: Pick<ServedResources, 'find'>
}

/**
 * Keeps a Lease for each shown node, because clients look for one. Nothing renews it, so it has no duration that could
 * expire, and it is deleted with its node. A node is shown even if it cannot have a Lease.
 */
export class NodeLeases {
  readonly #client: LeaseClient
  /** By node name: the uid of the node whose Lease is up to date. */
  readonly #settled = new Map<string, string>()

  constructor(client: LeaseClient) {
    this.#client = client
  }

  async keep(node: KubeObject, signal: AbortSignal): Promise<void> {
    const { name = '', uid = '', deletionTimestamp } = node.metadata
    if (deletionTimestamp !== undefined || this.#settled.get(name) === uid) return
    try {
      const type = await this.#client.served.find('coordination.k8s.io', 'leases', signal)
      if (type !== undefined) await this.#put(type, leaseOf(node), signal)
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
    }
    this.#settled.set(name, uid)
  }

  forget(node: string): void {
    this.#settled.delete(node)
  }

  async #put(type: ResourceType, lease: Lease, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.create(type, lease, signal)
    } catch (error) {
      if (!isRefusal(error, 409)) throw error
      const { namespace = '', name = '', ownerReferences = [] } = lease.metadata
      const there = await this.#client.get(type, { namespace, name }, signal)
      if (!isOfEarlierNode(there, lease)) return
      await this.#client.update(type, { ...there, metadata: { ...there.metadata, ownerReferences } }, signal)
    }
  }
}

/** A conflict, an overload or an outage passes; then the Lease is written at the next attempt. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof ApiError && error.code < 500 && ![409, 429].includes(error.code)
}

function leaseOf({ metadata: { name = '', uid = '' } }: KubeObject): Lease {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }]
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: nodeLeaseNamespace, name, ownerReferences },
    spec: { holderIdentity: name },
  }
}

/** Such a Lease would be garbage-collected with the earlier node. One that the tenant created stays unchanged. */
function isOfEarlierNode({ metadata }: KubeObject, lease: Lease): boolean {
  const [wanted] = lease.metadata.ownerReferences ?? []
  const owners = metadata.ownerReferences ?? []
  return owners.some(({ kind, name, uid }) => kind === 'Node' && name === wanted?.name && uid !== wanted.uid)
}
