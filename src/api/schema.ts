/**
 * A structural schema: the form of a kind. One graph of these drives strict decoding, pruning, protobuf names,
 * strategic merge, server-side apply and OpenAPI, so that they can never disagree. Nodes may be shared and are never
 * mutated.
 */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'any'
  /** Set on nodes that OpenAPI publishes under a name, such as `io.k8s.api.core.v1.ServicePort`. */
  readonly name?: string
  /** The name of its generated TypeScript type. Types of other nodes are inlined. */
  readonly typeName?: string
  readonly description?: string
  /** The meaning of a named node where it is used; `description` then describes the named node in general. */
  readonly memberDescription?: string
  /**
   * `int32` and `int64` for integers. For strings: `date-time` (whole seconds), `micro-time`, `byte` (base64),
   * `quantity`, `int-or-string` (a string or an integer; `type` is then `string`). For objects: `fields-v1` (opaque).
   * For any: `schema-or-list`, `schema-or-boolean` and `schema-or-strings`, where the schema is one in a definition.
   */
  readonly format?:
    | 'int32'
    | 'int64'
    | 'double'
    | 'date-time'
    | 'micro-time'
    | 'byte'
    | 'quantity'
    | 'int-or-string'
    | 'fields-v1'
    | 'schema-or-list'
    | 'schema-or-boolean'
    | 'schema-or-strings'
  /** Go's name for the type, if it is not the plain one: `v1.ServiceType`, `[]v1.IPFamily`, `v1.ResourceList`. */
  readonly goType?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly nullable?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  /** Objects with fixed members. */
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** Objects that map any key to one kind of value. */
  readonly additionalProperties?: Schema
  readonly mapType?: 'granular' | 'atomic'
  /** Arrays. */
  readonly items?: Schema
  readonly listType?: 'atomic' | 'set' | 'map'
  readonly listMapKeys?: readonly string[]
  /** Strategic merge: how a list is merged; absent means replaced. An object is merged unless it is replaced. */
  readonly patchStrategy?: 'merge' | 'retainKeys' | 'merge,retainKeys' | 'replace'
  readonly patchMergeKey?: string
  /** How OpenAPI v3 shows the node, if a user wrote it. */
  readonly openApi?: Readonly<Record<string, unknown>>
  /** Members that the schema does not name are kept. */
  readonly preserveUnknownFields?: boolean
}
