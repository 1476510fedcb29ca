import type { FieldError } from './field-error.ts'
import type { KubeObject } from './object.ts'
import type { Schema } from './schema.ts'

/** One column of `kubectl get`. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  /** 0 is always shown, anything above only with `-o wide`. */
  readonly priority?: number
  /** `now` is in milliseconds; ages are printed as people read them. */
  readonly value: (object: KubeObject, nowMs: number) => string | number | boolean | null
}

export type NameRule = 'dns-subdomain' | 'dns-label' | 'dns-1035-label' | 'path-segment'

/**
 * What a kind adds to the verbs. Every function is pure: it takes objects and returns new ones.
 * The verbs call them in this order: create: prepareForCreate, defaults, validate; update: prepareForUpdate, defaults,
 * validate, validateUpdate. Metadata is checked by the verbs themselves.
 */
export interface Strategy {
  readonly defaults?: (object: KubeObject) => KubeObject
  /** Drops what a client may not set. The status of kinds with a status subresource is dropped by the verb. */
  readonly prepareForCreate?: (object: KubeObject) => KubeObject
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject) => KubeObject
  readonly validate?: (object: KubeObject) => readonly FieldError[]
  /** Only what concerns the change; `validate` has run on `object`. Immutable fields belong here. */
  readonly validateUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
  readonly validateStatusUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
  readonly warnings?: (object: KubeObject, old?: KubeObject) => readonly string[]
}

/**
 * A kind is data: adding one is one file that exports one of these.
 * `builtin` kinds behave as kube-apiserver's own: apiVersion and kind may be left out of a body, a wrong type is a 400,
 * protobuf bodies and strategic merge patches are taken, list items carry no apiVersion and kind. `custom` kinds behave
 * as its custom resources: unknown fields are pruned by the schema, a wrong type is a 422, no strategic merge.
 */
export interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  readonly flavor: 'builtin' | 'custom'
  /** The whole object: apiVersion, kind, metadata and the rest. */
  readonly schema: Schema
  readonly nameRule: NameRule
  /** Whether `/status` is an endpoint of its own. */
  readonly hasStatus: boolean
  readonly hasGeneration: boolean
  /** A PUT without resourceVersion is taken as "whatever is there now". */
  readonly allowsUnconditionalUpdate: boolean
  /** A PUT of an object that is not there creates it. */
  readonly allowsCreateOnUpdate: boolean
  readonly deleteAnswer: 'object' | 'status'
  /** Verbs that are not served, for example deletecollection on namespaces. */
  readonly withoutVerbs?: readonly string[]
  /** The full protobuf message name of a builtin kind. */
  readonly protobufMessage?: string
  /** What `fieldSelector` may name besides metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>
  readonly columns?: readonly Column[]
  readonly strategy: Strategy
}

/** `plural` for the core group, `plural.group` otherwise: how messages name a resource. */
export function qualifiedResource(kind: { readonly plural: string; readonly group: string }): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
}

/** `Kind` for the core group, `Kind.group` otherwise: how 422 messages name a kind. */
export function qualifiedKind(kind: { readonly kind: string; readonly group: string }): string {
  return kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
}
