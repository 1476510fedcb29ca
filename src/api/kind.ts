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
  /** `nowMs` is in milliseconds; ages are printed for people. */
  readonly value: (object: KubeObject, nowMs: number) => Cell
}

/** What a column shows for an object. */
export type Cell = string | number | bigint | boolean | null

export type StatusKept = 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'

/** What most kinds keep that keep anything. */
export const ownMetadata: readonly StatusKept[] = ['labels', 'annotations', 'finalizers', 'ownerReferences']

export type NameRule = 'dns-subdomain' | 'dns-label' | 'dns-1035-label' | 'path-segment'

/**
 * What a kind adds to the verbs. Every function is pure: it takes objects and returns new ones. The verbs call them in
 * this order: create: defaults, prepareForCreate, validate; update: defaults, prepareForUpdate, validate,
 * validateUpdate. In managedFields, the writer owns what the defaults set, but not what the preparation sets. The verbs
 * themselves check metadata.
 */
export interface Strategy {
  readonly defaults?: (object: KubeObject) => KubeObject
  /** Drops what a client may not set. The verb drops the status of kinds with a status subresource. */
  readonly prepareForCreate?: (object: KubeObject) => KubeObject
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject) => KubeObject
  /** The same for a write to `/status`, which leaves everything else unchanged. */
  readonly prepareForStatusUpdate?: (object: KubeObject, old: KubeObject) => KubeObject
  /** Errors that hide all others. `old` is absent for a new object. */
  readonly validateFirst?: (object: KubeObject, old?: KubeObject) => readonly FieldError[]
  /** `old` is absent for a new object. */
  readonly validate?: (object: KubeObject, old?: KubeObject) => readonly FieldError[]
  /**
   * The same, if the previous object matters: a user's schema that has become stricter does not object to unchanged
   * values. `old` is absent for a new object.
   */
  readonly validateSchema?: (
    object: KubeObject,
    old: KubeObject | undefined,
    subresource: string,
  ) => readonly FieldError[] | Steps<readonly FieldError[]>
  /**
   * The rules of a user's schema, which may take long and rest in between. They run only if the object matches the rest
   * of the schema well enough to evaluate expressions. Undefined: there are none.
   */
  readonly validateRules?: (
    object: KubeObject,
    old: KubeObject | undefined,
    subresource: string,
  ) => Generator<void, RuleFindings, void> | undefined
  /** Only rules about the change; `validate` has run on `object`. Immutable fields belong here. */
  readonly validateUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
  readonly validateStatusUpdate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
  readonly warnings?: (object: KubeObject, old?: KubeObject) => readonly string[]
  /** About a new object before it is prepared. They are given even if it is refused. */
  readonly warningsBefore?: (object: KubeObject) => readonly string[]
  /**
   * An object stored by an earlier version, without what can no longer be sent: patches and applies change it, and send
   * the rest again.
   */
  readonly readable?: (stored: KubeObject) => KubeObject
  /** How long a deletion is delayed; absent means not at all. `requested` is what the caller asked for, if anything. */
  readonly gracePeriodSeconds?: (object: KubeObject, requested: number | undefined) => number
  /** Further changes when deletion is requested and the object must stay for a while. */
  readonly markDeleted?: (object: KubeObject) => KubeObject
  /** Reasons specific to the kind, besides metadata.finalizers, why the object must stay. */
  readonly holdsDeletion?: (object: KubeObject) => boolean
}

/** In a table: whether the object has finished. */
export interface RowCondition {
  readonly type: 'Completed'
  readonly status: 'True'
  readonly reason: string
  readonly message: string
}

/**
 * A kind is data: adding one is one file that exports one of these. `builtin` kinds behave like kube-apiserver's own:
 * apiVersion and kind may be omitted from a body, a wrong type is a 400, protobuf bodies and strategic merge patches
 * are accepted, list items have no apiVersion and kind. `custom` kinds behave like its custom resources: unknown fields
 * are pruned by the schema, a wrong type is a 422, no strategic merge.
 */
export interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  /** Absent: the kind followed by `List`. */
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  readonly flavor: 'builtin' | 'custom'
  /** The whole object: apiVersion, kind, metadata and the rest. */
  readonly schema: Schema
  /**
   * For custom kinds: prunes and completes objects when they are written, and again when they are read. Read from the
   * schema on first use.
   */
  readonly structure?: () => Structure
  /** Members that are doubles in Kubernetes as well, which rounds them. All others keep an integer, or refuse it. */
  readonly doubles?: Doubles
  /** A warning for callers that still use the version. */
  readonly deprecation?: string
  readonly nameRule: NameRule
  /** Whether `/status` is a separate endpoint. */
  readonly hasStatus: boolean
  /** A new object may have a status, like a node that registers itself. */
  readonly keepsStatusOnCreate?: boolean
  /**
   * Subresources besides `/status` that receive the whole object and apply only a part of it: `finalize` of namespaces.
   */
  readonly partialUpdates?: Readonly<Record<string, PartialUpdate>>
  /** Absent: the kind has no `/scale`. */
  readonly scale?: Scaling
  readonly hasGeneration: boolean
  /** A change of annotations also changes the desired state. */
  readonly generationCountsAnnotations?: boolean
  /** The same for labels. */
  readonly generationCountsLabels?: boolean
  /** Metadata that a write to `/status` leaves as it is stored, and therefore unowned. Absent: none. */
  readonly statusKeeps?: readonly StatusKept[]
  /** The order of rows in a table. Absent: that of the names. */
  readonly rowOrder?: (left: KubeObject, right: KubeObject) => number
  /** Conditions of a table row. Absent: none. */
  readonly rowConditions?: (object: KubeObject) => readonly RowCondition[]
  /** The generation is set at creation, and never increases. */
  readonly hasConstantGeneration?: boolean
  /** Dependents outlive the object unless its deletion says otherwise. */
  readonly orphansByDefault?: boolean
  /** Nothing is owned by such objects: a deletion never waits for dependents, whatever it says. */
  readonly hasNoDependents?: boolean
  /** A warning for callers that delete an object without saying what happens to its dependents. */
  readonly orphaningWarning?: string
  /**
   * Pods are created from `spec.template`. A changed template means new Pods, so defaults of later versions are not
   * added to stored templates.
   */
  readonly keepsTemplate?: boolean
  /** A PUT without resourceVersion replaces whatever exists. */
  readonly allowsUnconditionalUpdate: boolean
  /** A PUT of a missing object creates it. */
  readonly allowsCreateOnUpdate: boolean
  readonly deleteAnswer: 'object' | 'status'
  /** The server removes the object when its grace period ends; otherwise the component that runs it does. */
  readonly goesWhenGraceEnds?: boolean
  /** Verbs that are not served, for example deletecollection on namespaces. */
  readonly withoutVerbs?: readonly string[]
  /** Hooks may keep a part of each object that never leaves the server, such as the hash of a key. */
  readonly hasSealedPart?: boolean
  /** The spec never changes, so no manager owns any of it. */
  readonly hasFixedSpec?: boolean
  /** Another view of objects that are stored as another kind, such as events.k8s.io Events. */
  readonly storedAs?: StoredAs
  /** The full protobuf message name of a builtin kind. */
  readonly protobufMessage?: string
  /** What `fieldSelector` may name besides metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>
  readonly columns?: readonly Column[]
  /** A table without rows shows a null, as kube-apiserver does for some kinds. */
  readonly hasNullRows?: boolean
  readonly strategy: Strategy
}

export interface PartialUpdate {
  /** Empty: only the server itself writes there. */
  readonly verbs: readonly ('get' | 'patch' | 'update')[]
  /** The stored object with that part changed. */
  readonly apply: (sent: KubeObject, old: KubeObject) => KubeObject
  readonly validate?: (object: KubeObject, old: KubeObject) => readonly FieldError[]
}

/** What `/scale` shows besides the two numbers: the counted pods. */
export interface Scaling {
  readonly selector: (object: KubeObject) => string
  /** The paths of the numbers; absent: the usual ones. */
  readonly paths?: { readonly spec: readonly string[]; readonly status: readonly string[] }
}

export interface StoredAs {
  readonly group: string
  readonly plural: string
  /** Absent: v1. */
  readonly version?: string
  readonly toStored: (object: KubeObject) => KubeObject
  readonly fromStored: (object: KubeObject) => KubeObject
  /** The structure of stored objects, whatever view shows them. Absent: that of the view. */
  readonly structure?: () => Structure
}

/** `plural` for the core group, `plural.group` otherwise: how messages name a resource. */
export function qualifiedResource(kind: { readonly plural: string; readonly group: string }): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
}

/** `Kind` for the core group, `Kind.group` otherwise: how 422 messages name a kind. */
export function qualifiedKind(kind: { readonly kind: string; readonly group: string }): string {
  return kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
}
