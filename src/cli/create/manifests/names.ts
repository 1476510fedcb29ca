import { createHash } from 'node:crypto'
import { validateName } from '../../../api/names.ts'

/**
 * The controller appends a hash to the name of a StatefulSet and writes it into a label, which is limited to 63
 * characters.
 */
const longestName = 50

/** Why the name is not allowed for a tenant; undefined if it is. */
export function tenantNameProblem(name: string): string | undefined {
  const [problem] = validateName('dns-1035-label', name)
  if (problem !== undefined) return problem
  return name.length > longestName ? `must be no more than ${longestName} characters` : undefined
}

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
