import type { Schema } from '../schema.ts'
import { memberPresence } from './presence.ts'

/** One member of a builtin message, prepared for decoding. */
export interface DecodedMember {
  readonly schema: Schema
  /** What counts as empty and is then omitted, as Go omits it from JSON. */
  readonly dropsEmpty: 'scalar' | 'list' | 'map' | 'never'
}

export type DecodedMembers = ReadonlyMap<string, DecodedMember>

const plans = new WeakMap<Schema, DecodedMembers>()

/** Computed once per schema node. */
export function decodedMembersOf(schema: Schema): DecodedMembers {
  const known = plans.get(schema)
  if (known !== undefined) return known
  const presence = memberPresence(schema)
  const members = new Map<string, DecodedMember>()
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    members.set(name, { schema: member, dropsEmpty: presence.has(name) ? 'never' : emptiness(member) })
  }
  plans.set(schema, members)
  return members
}

function emptiness(schema: Schema): DecodedMember['dropsEmpty'] {
  switch (schema.type) {
    case 'string':
      return schema.format === undefined ? 'scalar' : 'never'
    case 'integer':
    case 'number':
    case 'boolean':
      return 'scalar'
    case 'array':
      return 'list'
    case 'object':
      return schema.additionalProperties === undefined ? 'never' : 'map'
    case 'any':
      return 'never'
  }
}

export function isLeftOut(member: DecodedMember, value: unknown): boolean {
  switch (member.dropsEmpty) {
    case 'scalar':
      return value === '' || value === 0 || value === false
    case 'list':
      return Array.isArray(value) && value.length === 0
    case 'map':
      return hasNoMembers(value)
    case 'never':
      return false
  }
}

function hasNoMembers(value: unknown): boolean {
  for (const _ in Object(value)) return false
  return true
}
