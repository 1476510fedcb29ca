import type { HostNames } from '../../contract.ts'
import { hostName } from '../../names/host-name.ts'

type TenantNames = Pick<HostNames, 'tenant' | 'tenantNamespace'>

/** The ConfigMap of the host that tells Pods where the API of the virtual cluster is. No virtual object can be called that. */
export function apiEnvironmentName({ tenant, tenantNamespace }: TenantNames): string {
  return hostName({ hostNamespace: tenantNamespace, tenant, namespace: '', name: 'environment/api' })
}

/** The one that tells Pods of a namespace what Services there are. */
export function linksEnvironmentName(namespace: string, { tenant, tenantNamespace }: TenantNames): string {
  return hostName({ hostNamespace: tenantNamespace, tenant, namespace, name: 'environment/services' })
}
