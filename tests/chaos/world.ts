import type { Cluster } from '../sync/support/clusters.ts'
import type { Thing } from '../sync/support/objects.ts'
import type { Model, Place } from './model.ts'
import { copyName, type TenantPlace } from './names.ts'

/** Both worlds, and the model of what they must look like. */
export interface World {
  readonly virtual: Cluster
  readonly host: Cluster
  readonly tenant: TenantPlace
  readonly model: Model
}

const prefix = 'tenant.internal/'

/** The marks of a copy, from the documentation alone. */
export const marks = {
  managedBy: `${prefix}managed-by`,
  name: `${prefix}object-name`,
  namespace: `${prefix}object-namespace`,
  uid: `${prefix}object-uid`,
  kind: `${prefix}object-kind`,
  hostName: `${prefix}host-name`,
  tenantNamespace: `${prefix}tenant-namespace`,
} as const

export function isMark(key: string): boolean {
  return key.startsWith(prefix)
}

export function markKey(name: string): string {
  return `${prefix}${name}`
}

export function copyNameOf({ tenant }: World, { namespace, name }: Place): string {
  return copyName(tenant, namespace, name)
}

/** Whether it is a copy of the current virtual object, with its marks. */
export function isCopyOf({ metadata }: Thing, { tenant }: World, uid: string): boolean {
  return metadata.labels?.[marks.managedBy] === tenant.tenant && metadata.annotations?.[marks.uid] === uid
}
