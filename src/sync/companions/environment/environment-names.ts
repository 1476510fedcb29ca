import type { HostNames } from '../../contract.ts'
import { hostName, isMarkedName } from '../../names/host-name.ts'

type TenantNames = Pick<HostNames, 'tenant' | 'tenantNamespace'>

/**
 * The ConfigMap of the host that tells Pods where the API of the virtual cluster is. No virtual object can have this
 * name.
 */
export function apiEnvironmentName({ tenant, tenantNamespace }: TenantNames): string {
  return hostName({ hostNamespace: tenantNamespace, tenant, namespace: '', name: 'environment/api' })
}

/** The ConfigMap that lists the Services of a namespace for its Pods. */
export function linksEnvironmentName(namespace: string, { tenant, tenantNamespace }: TenantNames): string {
  return hostName({ hostNamespace: tenantNamespace, tenant, namespace, name: 'environment/services' })
}

/** Whether any tenant could have such a ConfigMap. */
export function isEnvironmentName(name: string): boolean {
  return ['environment-api', 'environment-services'].some((readable) => isMarkedName(name, readable))
}
