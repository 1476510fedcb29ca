import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { asObjects } from '../../base/json/lenient.ts'
import type { KubeClient, ResourceType } from '../../client/contract.ts'
import { isCopyOf, ownSelector } from '../../sync/names/markers.ts'
import type { Manifest } from '../host/manifest.ts'
import type { TenantDeployment } from './manifests/contract.ts'

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

/**
 * Removes the tenant's copies from the host. With `kept`, removes only copies of kinds that the tenant may no longer
 * change.
 */
export async function removeCopies(
  host: KubeClient,
  tenant: Named,
  manifests: readonly Manifest[],
  kept: readonly Manifest[] = [],
): Promise<void> {
  for await (const { type, item } of copiesOnHost(host, tenant, manifests, kept)) await remove(host, type, item)
}

interface CopyOnHost {
  readonly type: ResourceType
  readonly item: KubeObject
}

/** The copies of the tenant: objects with its labels, among the resources that it may change. */
export async function* copiesOnHost(
  host: KubeClient,
  tenant: Named,
  manifests: readonly Manifest[],
  kept: readonly Manifest[] = [],
): AsyncIterable<CopyOnHost> {
  const identity = { tenant: tenant.name, hostNamespace: tenant.namespace }
  const still = changeable(kept, tenant)
  const isKept = (each: Changeable) =>
    still.some((other) => other.group === each.group && other.resource === each.resource)
  for (const { group, resource, namespace } of changeable(manifests, tenant)) {
    if (isKept({ group, resource, namespace })) continue
    for (const type of await typesOf(host, group, resource)) {
      const { items } = await host.list(type, { namespace, labelSelector: ownSelector(identity) })
      for (const item of items) if (isCopyOf(item, identity)) yield { type, item: { ...item, kind: type.kind } }
    }
  }
}

interface Changeable {
  readonly group: string
  readonly resource: string
  /** Empty: all namespaces. */
  readonly namespace: string
}

function changeable(manifests: readonly Manifest[], { namespace: own }: Named): readonly Changeable[] {
  return manifests.flatMap(({ kind, metadata, rules }) => {
    if (kind !== 'ClusterRole' && !(kind === 'Role' && metadata.namespace === own)) return []
    const namespace = kind === 'Role' ? own : ''
    return asObjects(rules).flatMap(({ apiGroups, resources, verbs }) =>
      texts(verbs).includes('delete')
        ? texts(apiGroups).flatMap((group) => texts(resources).map((resource) => ({ group, resource, namespace })))
        : [],
    )
  })
}

async function typesOf(host: KubeClient, group: string, resource: string): Promise<readonly ResourceType[]> {
  if (group === '*') return host.served.findPlural(resource)
  const type = await host.served.find(group, resource)
  return type === undefined ? [] : [type]
}

async function remove(host: KubeClient, type: ResourceType, { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name = '', uid } = metadata
  try {
    await host.delete(type, { namespace, name }, uid === undefined ? {} : { uid })
  } catch (error) {
    if (!isRefusal(error, 404)) throw error
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
