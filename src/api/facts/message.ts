import type { Schema } from '../schema.ts'

/** What is known about a type of Kubernetes: its JSON form, its schema and its protobuf form all follow from this. */
export interface Message {
  /** The full name, such as `k8s.io.api.core.v1.Service`. */
  readonly name: string
  readonly fields: readonly FieldFact[]
  /** Owned and applied as a whole. */
  readonly isAtomic: boolean
  /** For messages that are not objects in JSON. */
  readonly form: JsonForm | undefined
}

export interface FieldFact {
  /** In protobuf. */
  readonly number: number
  /** In JSON. */
  readonly name: string
  /** A scalar such as `string` or the full name of a message; for lists and maps, the type of their values. */
  readonly type: string
  /** Map keys are always strings. */
  readonly shape: 'single' | 'list' | 'map'
  readonly presence: FieldPresence
  /** In JSON, the members of the nested message are inlined into the surrounding one. */
  readonly isInlined: boolean
  readonly isRequired: boolean
  /** The message is a whole object, with apiVersion and kind. */
  readonly isWhole: boolean
  readonly schema: FieldSchema | undefined
}

/** What the schema of a field specifies besides its type. */
export type FieldSchema = Pick<
  Schema,
  'listType' | 'listMapKeys' | 'patchStrategy' | 'patchMergeKey' | 'mapType' | 'default' | 'enum' | 'goType'
>

/**
 * `optional`: zero, empty and absent are the same, and JSON shows none of them. `explicit`: a zero differs from
 * absence. `nullable`: the same, and JSON shows absence as a null. `always`: JSON shows it even if it is zero; a list is
 * then null, a message an object, a time null.
 */
export type FieldPresence = 'optional' | 'explicit' | 'nullable' | 'always'

export type JsonForm =
  /** One list field, which in JSON is the list itself. */
  | 'bare-list'
  /** `raw` bytes that contain JSON, which is used directly. */
  | 'raw-json'
  | 'time'
  | 'micro-time'
  | 'quantity'
  | 'int-or-string'
  /** A schema, or a list of schemas under `jSONSchemas`. */
  | 'schema-or-list'
  /** A schema, or the boolean under `allows`. */
  | 'schema-or-boolean'
  /** A schema, or the strings under `property`. */
  | 'schema-or-strings'

const scalarTypes = ['string', 'bool', 'int32', 'int64', 'double', 'bytes'] as const
export type ScalarType = (typeof scalarTypes)[number]

export function isScalar(type: string): type is ScalarType {
  return scalarTypes.some((scalar) => scalar === type)
}
