import type { Schema } from '../schema.ts'

/** What is known of a type of Kubernetes: its JSON form, its schema and its protobuf form all follow from this. */
export interface Message {
  /** In full, such as `k8s.io.api.core.v1.Service`. */
  readonly name: string
  readonly fields: readonly FieldFact[]
  /** Owned and applied as a whole. */
  readonly isAtomic: boolean
  /** For messages that are no object in JSON. */
  readonly form: JsonForm | undefined
}

export interface FieldFact {
  /** In protobuf. */
  readonly number: number
  /** In JSON. */
  readonly name: string
  /** A scalar such as `string` or the full name of a message; of lists and maps, the type of their values. */
  readonly type: string
  /** Map keys are always strings. */
  readonly shape: 'single' | 'list' | 'map'
  readonly presence: FieldPresence
  /** The members of the nested message stand in JSON beside those of the message around it. */
  readonly isInlined: boolean
  readonly isRequired: boolean
  /** The message is a whole object, with apiVersion and kind. */
  readonly isWhole: boolean
  readonly schema: FieldSchema | undefined
}

/** What the schema of a field says besides its type. */
export type FieldSchema = Pick<
  Schema,
  'listType' | 'listMapKeys' | 'patchStrategy' | 'patchMergeKey' | 'mapType' | 'default' | 'enum' | 'goType'
>

/**
 * `optional`: zero, empty and absent are the same, and JSON shows none of them. `explicit`: a zero differs from absence.
 * `always`: JSON shows it even when it is zero; a list is then null, a message an object, a time null.
 */
export type FieldPresence = 'optional' | 'explicit' | 'always'

export type JsonForm =
  /** One list field, which in JSON is the list itself. */
  | 'bare-list'
  /** `raw` bytes that hold JSON, which stands there as it is. */
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

export const scalarTypes = ['string', 'bool', 'int32', 'int64', 'double', 'bytes'] as const
export type ScalarType = (typeof scalarTypes)[number]

export function isScalar(type: string): type is ScalarType {
  return scalarTypes.some((scalar) => scalar === type)
}
