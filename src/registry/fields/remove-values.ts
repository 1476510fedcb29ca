import type { Schema } from '../../api/schema.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { type FieldSet, isMember } from './field-set.ts'
import { elementOf } from './list-items.ts'
import { memberElement } from './path-element.ts'
import { itemSchema, memberSchema, ownershipShape } from './schema-shape.ts'

/**
 * The value without the fields of a set. A value that loses all its content is removed too, unless it is in `kept`:
 * then it stays, empty. Undefined if nothing is left.
 */
export function valueWithoutFields(
  schema: Schema,
  value: unknown,
  fields: FieldSet,
  kept: FieldSet | undefined,
): unknown {
  const shape = ownershipShape(schema, value)
  if (shape === 'map' && isJsonObject(value)) return withoutMembers(schema, value, fields, kept)
  if (shape === 'list' && Array.isArray(value)) return withoutItems(schema, value, fields, kept)
  return value
}

function withoutMembers(
  schema: Schema,
  members: Readonly<Record<string, unknown>>,
  fields: FieldSet,
  kept: FieldSet | undefined,
): unknown {
  const names = Object.keys(members)
  const result: Record<string, unknown> = {}
  for (const name of names) {
    const element = memberElement(name)
    const rest = left(memberSchema(schema, name), members[name], fields[element], kept?.[element])
    if (rest !== undefined) setMember(result, name, rest)
  }
  const lostAll = names.length > 0 && Object.keys(result).length === 0
  return lostAll && !isKept(kept) ? undefined : result
}

function withoutItems(
  schema: Schema,
  items: readonly unknown[],
  fields: FieldSet,
  kept: FieldSet | undefined,
): unknown {
  const result: unknown[] = []
  for (const item of items) {
    const element = elementOf(schema, item).element ?? ''
    const rest = left(itemSchema(schema), item, fields[element], kept?.[element])
    if (rest !== undefined) result.push(rest)
  }
  return items.length > 0 && result.length === 0 && !isKept(kept) ? undefined : result
}

function left(schema: Schema, value: unknown, node: FieldSet | undefined, kept: FieldSet | undefined): unknown {
  if (node === undefined) return value
  return isMember(node) ? undefined : valueWithoutFields(schema, value, node, kept)
}

function isKept(kept: FieldSet | undefined): boolean {
  return kept !== undefined && isMember(kept)
}
