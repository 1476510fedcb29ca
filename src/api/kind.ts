import type { Doubles } from '../base/json/without-large.ts'
import type { Steps } from '../base/steps.ts'
import type { RuleFindings } from './custom/rules/rule-findings.ts'
import type { Structure } from './custom/structure.ts'
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
  readonly value: (object: KubeObject, nowMs: number) => Cell
}

/** What a column shows of an object. */
export type Cell = string | number | bigint | boolean | null

export type NameRule = 'dns-subdomain' | 'dns-label' | 'dns-1035-label' | 'path-segment'

/**
 * What a kind adds to the verbs. Every function is pure: it takes objects and returns new ones.
 * The verbs call them in this order: create: defaults, prepareForCreate, validate; update: defaults, prepareForUpdate,
 * validate, validateUpdate. What the defaults set is owned by the writer in managedFields, what the preparation sets is
 * not. Metadata is checked by the verbs themselves.
 */
export interface Strategy {
  readonly defaults?: (object: KubeObject) => KubeObject
  /** Drops what a client may not set. The status of kinds with a status subresource is dropped by the verb. */
  readonly prepareForCreate?: (object: KubeObject) => KubeObject
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject) => KubeObject
  /** The same for a write to `/status`, which leaves everything else as it was. */
  readonly prepareForStatusUpdate?: (object: KubeObject, old: KubeObject) => KubeObject
  /** `old` is absent for a new object. */
  readonly validate?: (object: KubeObject, old?: KubeObject) => readonly FieldError[]
  /**
   * The same, where it matters what stood there before, which a schema of a user that has become stricter does not object to.
   * `old` is absent for a new object.
   */
  readonly validateSchema?: (
    object: KubeObject,
    old: KubeObject | undefined,
  ) => readonly FieldError[] | Steps<readonly FieldError[]>
  /**
   * The rules of a user's schema, which may take long and rest in between. They run only if what the schema says besides holds
   * so far that expressions can be evaluated. Undefined: there are none.
   */
  readonly validateRules?: (
    object: KubeObject,
    old: KubeObject | undefined,
    subresource: string,
  ) => Generator<void, RuleFindings, void> | undefined
  /** Only what concerns the change; `validate` has run on `object`. Immutable fields belong here. */
  readonly validateUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
  readonly validateStatusUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
  readonly warnings?: (object: KubeObject, old?: KubeObject) => readonly string[]
  /** What an earlier version stored, without what cannot be sent any more: patches and applies change it, and send the rest again. */
  readonly readable?: (stored: KubeObject) => KubeObject
  /** How long a deletion is put off; absent means not at all. `requested` is what the caller asked for, if anything. */
  readonly gracePeriodSeconds?: (object: KubeObject, requested: number | undefined) => number
  /** What else changes when deletion is requested and the object has to stay for a while. */
  readonly markDeleted?: (object: KubeObject) => KubeObject
  /** Reasons of the kind's own, besides metadata.finalizers, why the object has to stay. */
  readonly holdsDeletion?: (object: KubeObject) => boolean
}

/** In a table: whether the object has come to its end. */
export interface RowCondition {
  readonly type: 'Completed'
  readonly status: 'True'
  readonly reason: string
  readonly message: string
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
  /** Absent: the kind and `List`. */
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  readonly flavor: 'builtin' | 'custom'
  /** The whole object: apiVersion, kind, metadata and the rest. */
  readonly schema: Schema
  /**
   * Of kinds that users define: objects are pruned and completed by it when they are written, and again when they are read.
   * Read from its schema when it is first asked for.
   */
  readonly structure?: () => Structure
  /** Members that are doubles in Kubernetes as well, which rounds them. All others keep an integer, or refuse it. */
  readonly doubles?: Doubles
  /** What a caller is told who still uses the version. */
  readonly deprecation?: string
  readonly nameRule: NameRule
  /** Whether `/status` is an endpoint of its own. */
  readonly hasStatus: boolean
  /** A new object may come with a status, as a node that registers itself does. */
  readonly keepsStatusOnCreate?: boolean
  /**
   * Endpoints below the object, besides `/status`, to which the whole object is sent and which take over only a part
   * of it: `finalize` of namespaces.
   */
  readonly partialUpdates?: Readonly<Record<string, PartialUpdate>>
  /** Absent: the kind has no `/scale`. */
  readonly scale?: Scaling
  readonly hasGeneration: boolean
  /** A change of annotations is a change of the desired state too. */
  readonly generationCountsAnnotations?: boolean
  /** What is told of an object beside its cells. Absent: nothing. */
  readonly rowConditions?: (object: KubeObject) => readonly RowCondition[]
  /** It has one from the beginning, which no change raises. */
  readonly hasConstantGeneration?: boolean
  /** Dependents outlive the object unless its deletion says otherwise. */
  readonly orphansByDefault?: boolean
  /** Told to callers that delete one and do not say what becomes of what it owns. */
  readonly orphaningWarning?: string
  /** Pods are made from `spec.template`. Other templates mean other Pods, so that defaults of later versions stay out of those that are stored. */
  readonly keepsTemplate?: boolean
  /** A PUT without resourceVersion is taken as "whatever is there now". */
  readonly allowsUnconditionalUpdate: boolean
  /** A PUT of an object that is not there creates it. */
  readonly allowsCreateOnUpdate: boolean
  readonly deleteAnswer: 'object' | 'status'
  /** The server removes the object when its grace period ends; otherwise the component that runs it does. */
  readonly goesWhenGraceEnds?: boolean
  /** Verbs that are not served, for example deletecollection on namespaces. */
  readonly withoutVerbs?: readonly string[]
  /** Hooks may keep a part of each object that never leaves the server, such as the hash of a key. */
  readonly hasSealedPart?: boolean
  /** The spec never changes, so that no manager owns any of it. */
  readonly hasFixedSpec?: boolean
  /** Another view of objects that are stored as a kind of their own, such as events.k8s.io Events. */
  readonly storedAs?: StoredAs
  /** The full protobuf message name of a builtin kind. */
  readonly protobufMessage?: string
  /** What `fieldSelector` may name besides metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>
  readonly columns?: readonly Column[]
  readonly strategy: Strategy
}

export interface PartialUpdate {
  /** None: only the server itself writes there. */
  readonly verbs: readonly ('get' | 'patch' | 'update')[]
  /** The stored object with that part changed. */
  readonly apply: (sent: KubeObject, old: KubeObject) => KubeObject
  readonly validate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
}

/** What `/scale` shows besides the two numbers: the pods that are counted. */
export interface Scaling {
  readonly selector: (object: KubeObject) => string
  /** Where the numbers stand; absent: where they usually do. */
  readonly paths?: { readonly spec: readonly string[]; readonly status: readonly string[] }
}

export interface StoredAs {
  readonly group: string
  readonly plural: string
  /** Absent: v1. */
  readonly version?: string
  readonly toStored: (object: KubeObject) => KubeObject
  readonly fromStored: (object: KubeObject) => KubeObject
}

/** `plural` for the core group, `plural.group` otherwise: how messages name a resource. */
export function qualifiedResource(kind: { readonly plural: string; readonly group: string }): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
}

/** `Kind` for the core group, `Kind.group` otherwise: how 422 messages name a kind. */
export function qualifiedKind(kind: { readonly kind: string; readonly group: string }): string {
  return kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
}
