import type { KubeObject } from '../../api/object.ts'
import type { ObjectFields, SyncKind } from '../contract.ts'
import { holdsFields } from './held-fields.ts'

/** What an object says besides what it is and how it is doing. */
export function fieldsOf({
  apiVersion: _,
  kind: __,
  metadata: ___,
  status: ____,
  ...fields
}: KubeObject): ObjectFields {
  return fields
}

/** Whether an object is what was asked for, however its server has completed it. */
export function holdsWanted(
  object: KubeObject,
  fields: ObjectFields,
  { closedFields, withDefaults }: SyncKind,
): boolean {
  const complete = withDefaults ?? ((same: ObjectFields) => same)
  return holdsFields(complete(object), complete(fields), closedFields)
}

/** Fields to write over an object. What it has and what is no longer wanted goes. */
export function fieldsOver(
  object: KubeObject,
  wanted: ObjectFields,
  { closedFields, overCopy }: SyncKind,
): ObjectFields {
  const owned = closedFields ?? Object.keys(fieldsOf(object))
  const absent = Object.fromEntries(owned.map((member) => [member, undefined]))
  return { ...absent, ...(overCopy?.(wanted, object) ?? wanted) }
}
