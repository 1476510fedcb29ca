import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { SyncKind, TakenOver } from '../contract.ts'
import { fieldsOf } from '../plan/fields.ts'
import { mergeDiff } from '../plan/merge-diff.ts'

/** For any kind: everything except the status is synced to the host, and the status back. */
export function genericSync(id: string, group: string | undefined, resource: string): SyncKind {
  return { id, group, resource, toHost: fieldsOf, toVirtual: statusOf }
}

export function statusOf({ status }: KubeObject, virtual: KubeObject): TakenOver {
  const change = status === undefined ? undefined : mergeDiff(virtual.status, status)
  return isJsonObject(change) ? { status: change } : {}
}

/** A custom resource as named in tenant.yaml: by plural and group, or by the plural alone. */
export function customResourceSync(id: string): SyncKind {
  const dot = id.indexOf('.')
  return dot < 0 ? genericSync(id, undefined, id) : genericSync(id, id.slice(dot + 1), id.slice(0, dot))
}
