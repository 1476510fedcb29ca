import type { Schema } from '../../api/schema.ts'
import { isJsonObject } from '../../base/json/member.ts'

/** Owned as a whole, whatever its content. */
const opaque: Schema = { type: 'any' }
/**
 * Below a node that preserves unknown fields, the values decide: objects are walked, everything else is owned as a
 * whole.
 */
const deduced: Schema = { type: 'any', preserveUnknownFields: true }

export type Shape = 'leaf' | 'map' | 'list'

/** How a value is owned: by member, by item, or as a whole. */
export function ownershipShape(schema: Schema, value: unknown): Shape {
  if (schema.mapType === 'atomic') return 'leaf'
  if (schema.type === 'object') return 'map'
  if (schema.type === 'array') return schema.listType === 'map' || schema.listType === 'set' ? 'list' : 'leaf'
  return schema.type === 'any' && schema.preserveUnknownFields === true && isJsonObject(value) ? 'map' : 'leaf'
}

export function isDeclared(schema: Schema, name: string): boolean {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name)
}

/** Undefined for a member that the schema does not know. */
export function declaredSchema(schema: Schema, name: string): Schema | undefined {
  if (isDeclared(schema, name)) return schema.properties?.[name]
  return schema.additionalProperties ?? (schema.preserveUnknownFields === true ? deduced : undefined)
}

/** For decoded objects: an unexpected member is owned as a whole. */
export function memberSchema(schema: Schema, name: string): Schema {
  return declaredSchema(schema, name) ?? opaque
}

export function itemSchema(schema: Schema): Schema {
  return schema.items ?? opaque
}

export function ownMembers(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : noMembers
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : noItems
}

export function ownMember(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

const noMembers: Readonly<Record<string, unknown>> = Object.freeze({})
const noItems: readonly unknown[] = Object.freeze([])
