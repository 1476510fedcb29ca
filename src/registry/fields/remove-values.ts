import type { Schema } from '../../api/schema.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { type FieldSet, isMember } from './field-set.ts'
import { elementOf } from './list-items.ts'
import { memberElement } from './path-element.ts'
import { itemSchema, memberSchema, shapeOf } from './schema-shape.ts'

/** The value without the fields of a set. Undefined when nothing of it is left. */
export function withoutFields(schema: Schema, value: unknown, fields: FieldSet): unknown {
  const shape = shapeOf(schema, value)
  if (shape === 'map' && isJsonObject(value)) return withoutMembers(schema, value, fields)
  if (shape === 'list' && Array.isArray(value)) return withoutItems(schema, value, fields)
  return value
}

function withoutMembers(schema: Schema, members: Readonly<Record<string, unknown>>, fields: FieldSet): unknown {
  const names = Object.keys(members)
  const result: Record<string, unknown> = {}
  for (const name of names) {
    const node = fields[memberElement(name)]
    const kept = left(memberSchema(schema, name), members[name], node)
    if (kept !== undefined) setMember(result, name, kept)
  }
  return names.length > 0 && Object.keys(result).length === 0 ? undefined : result
}

function withoutItems(schema: Schema, items: readonly unknown[], fields: FieldSet): unknown {
  const result = items
    .map((item) => left(itemSchema(schema), item, fields[elementOf(schema, item).element ?? '']))
    .filter((item) => item !== undefined)
  return items.length > 0 && result.length === 0 ? undefined : result
}

function left(schema: Schema, value: unknown, node: FieldSet | undefined): unknown {
  if (node === undefined) return value
  return isMember(node) ? undefined : withoutFields(schema, value, node)
}
