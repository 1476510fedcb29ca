import type { Pattern } from './pattern.ts'
import type { ValidationRule } from './rules/validation-rule.ts'

/**
 * A user's OpenAPI v3 schema, read once: how a value is pruned, completed, checked, merged and owned. The same form is
 * used below `allOf`, `anyOf`, `oneOf` and `not`, where only the checks count. Never mutated.
 */
export interface Structure {
  /** Absent: any type. */
  readonly type?: StructureType
  readonly isNullable: boolean
  readonly isIntOrString: boolean
  readonly keepsUnknown: boolean
  /** A whole object of some kind, with apiVersion, kind and metadata. */
  readonly isResource: boolean
  /** Ordered by name, so that errors always come in the same order. */
  readonly properties: ReadonlyMap<string, Structure>
  /** For members that `properties` does not name; absent if there are none. */
  readonly additional?: Structure
  readonly items?: Structure
  readonly listType?: 'atomic' | 'set' | 'map'
  readonly listMapKeys: readonly string[]
  readonly mapType?: 'granular' | 'atomic'
  /** Already pruned and completed. */
  readonly default?: DefaultValue
  /** Names and defaults of the members that have one. */
  readonly defaults: readonly (readonly [string, DefaultValue])[]
  /** In CEL. */
  readonly rules: readonly ValidationRule[]
  readonly checks: Checks
}

export interface DefaultValue {
  readonly value: unknown
  /** The length as JSON. */
  readonly length: number
}

/** Restrictions of a value besides its type. */
export interface Checks {
  readonly format?: string
  readonly enum?: Choices
  readonly pattern?: Pattern
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: Bound
  readonly maximum?: Bound
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly required: readonly string[]
  readonly allOf: readonly Structure[]
  readonly anyOf: readonly Structure[]
  readonly oneOf: readonly Structure[]
  readonly not?: Structure
}

/** The values of an enum, prepared for lookup. */
export interface Choices {
  readonly scalars: ReadonlySet<unknown>
  /** Lists and objects, which are compared one by one. */
  readonly others: readonly unknown[]
  /** The number of values in those. */
  readonly othersSize: number
  /** The first of them, as shown in messages. */
  readonly shown: () => readonly string[]
}

export interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

export const structureTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'] as const
export type StructureType = (typeof structureTypes)[number]

/** Undefined for a member that must be removed. */
export function memberStructure(structure: Structure, name: string): Structure | undefined {
  return structure.properties.get(name) ?? structure.additional
}
