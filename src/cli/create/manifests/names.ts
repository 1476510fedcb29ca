import { createHash } from 'node:crypto'

/** Names of a tenant's own objects in its namespace. */
export const objectNames = {
  /** Role, RoleBinding, ServiceAccount; ClusterRole and ClusterRoleBinding also contain the namespace. */
  account: (tenant: string) => `tenant-${tenant}`,
  config: (tenant: string) => `tenant-${tenant}-config`,
  record: (tenant: string) => `tenant-${tenant}-applied`,
  /** ResourceQuota, LimitRange and NetworkPolicy for the Pods of a tenant. */
  workloads: (tenant: string) => `tenant-${tenant}-workloads`,
  /** NetworkPolicy for the process of the tenant itself. */
  process: (tenant: string) => `tenant-${tenant}-process`,
}

/** A hash, so that the names fit in any namespace and long names never collide. */
export function clusterScopedName(purpose: string, namespace: string, tenant: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([purpose, namespace, tenant]))
    .digest('hex')
    .slice(0, 12)
  return `tenant-${purpose}-${tenant}-${hash}`
}
