import type { KubeObject } from '../../api/object.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { TenantDeployment } from '../create/manifests/contract.ts'
import { instanceLabel } from '../host/owner-labels.ts'

/** What people put into namespaces. */
const looked = [
  ['', 'pods'],
  ['', 'services'],
  ['', 'configmaps'],
  ['', 'secrets'],
  ['', 'persistentvolumeclaims'],
  ['apps', 'deployments'],
  ['apps', 'statefulsets'],
  ['apps', 'daemonsets'],
  ['batch', 'jobs'],
  ['batch', 'cronjobs'],
  ['networking.k8s.io', 'ingresses'],
] as const

/** Objects in the namespace of a tenant that do not belong to it, such as `configmaps/notes`. */
export async function unrelatedObjects(
  host: KubeClient,
  { name, namespace }: Pick<TenantDeployment, 'name' | 'namespace'>,
): Promise<readonly string[]> {
  const found = await Promise.all(
    looked.map(async ([group, resource]) => {
      const type = await host.served.find(group, resource)
      const { items } = type === undefined ? { items: [] } : await host.list(type, { namespace })
      return items.filter((item) => !belongs(item, name)).map((item) => `${resource}/${item.metadata.name}`)
    }),
  )
  return found.flat()
}

/** Belongs to the tenant, is being deleted, or is created by the cluster in every namespace. */
function belongs({ metadata, type }: KubeObject, tenant: string): boolean {
  if (metadata.labels?.[instanceLabel] === tenant || metadata.deletionTimestamp !== undefined) return true
  return metadata.name === 'kube-root-ca.crt' || type === 'kubernetes.io/service-account-token'
}
