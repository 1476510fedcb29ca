import type { KubeObject } from '../../api/object.ts'
import type { ObjectFields, SyncKind } from '../contract.ts'
import { holdsFields } from './held-fields.ts'

/** All fields except type, metadata and status. */
export function fieldsOf({
  apiVersion: _,
  kind: __,
  metadata: ___,
  status: ____,
  ...fields
}: KubeObject): ObjectFields {
  return fields
}

/** Whether an object has the wanted fields, however its server completed it. */
export function holdsWanted(
  object: KubeObject,
  fields: ObjectFields,
  { closedFields, withDefaults }: SyncKind,
): boolean {
  const complete = withDefaults ?? ((same: ObjectFields) => same)
  return holdsFields(complete(object), complete(fields), closedFields)
}

/** Fields to write over an object. Fields that are no longer wanted are removed. */
export function fieldsOver(
  object: KubeObject,
  wanted: ObjectFields,
  { closedFields, overCopy }: SyncKind,
): ObjectFields {
  const owned = closedFields ?? Object.keys(fieldsOf(object))
  const absent = Object.fromEntries(owned.map((member) => [member, undefined]))
  return { ...absent, ...(overCopy?.(wanted, object) ?? wanted) }
}
