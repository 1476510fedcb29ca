import type { CompiledExpression } from '../expression/contract.ts'
import type { Path } from './path/path.ts'

/** `toHost` applies `expression`, `toVirtual` applies `reverseExpression`. */
export type Direction = 'toHost' | 'toVirtual'

export interface CompiledPatch {
  readonly path: Path
  /** The path as written, for messages. */
  readonly pathText: string
  readonly action: PatchAction
}

export type PatchAction = ExpressionAction | ReferenceAction | LabelsAction

/** A direction without an expression is unchanged. */
export interface ExpressionAction {
  readonly type: 'expression'
  readonly toHost?: CompiledExpression
  readonly toVirtual?: CompiledExpression
}

/** Paths are relative to the value at the patch's path. Without `namePath`, that value is the name itself. */
export interface ReferenceAction {
  readonly type: 'reference'
  readonly apiVersion?: string
  readonly apiVersionPath?: Path
  readonly kind?: string
  readonly kindPath?: Path
  readonly namePath?: Path
  readonly namespacePath?: Path
}

export interface LabelsAction {
  readonly type: 'labels'
}

export interface ReferencedKind {
  readonly apiVersion: string
  readonly kind: string
}

export interface ObjectName {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** How names of referenced objects are translated between the sides. */
export interface NameTranslator {
  /** Whether names are kept and only namespaces are mapped. */
  readonly multiNamespace: boolean
  /** Undefined for an object in an unmapped namespace: the host may have an object of others under its name. */
  toHost(kind: ReferencedKind, namespace: string, name: string): ObjectName | undefined
  /** Undefined for a host object that does not belong to this tenant. */
  toVirtual(kind: ReferencedKind, hostNamespace: string, hostName: string): ObjectName | undefined
}

/** How selectors and maps of labels are translated between the sides. */
export interface LabelTranslator {
  /** On the host, selectors also require these, so that they never match an object of another owner. */
  readonly narrowing: Readonly<Record<string, string>>
  toHost(key: string): string
  /** Undefined for a label that exists only on the host. */
  toVirtual(key: string): string | undefined
}

/** A reference that was found, with its name on the source side, for code that syncs or imports its target. */
export interface FoundReference extends ReferencedKind, ObjectName {
  readonly direction: Direction
  /** Its place, as a printed path. */
  readonly path: string
  /** The name on the other side; undefined for a host object that would have to be imported. */
  readonly translated?: ObjectName
}

/** What one patch did to one object. */
export interface PatchCounters {
  readonly matched: number
  readonly changed: number
  /** 1 if the path matched nothing; also counts references without the name at their namePath. */
  readonly notFound: number
  readonly failed: number
}

export interface PatchFailure {
  /** The position of the patch in its list. */
  readonly index: number
  readonly path: string
  /** The match that failed. */
  readonly concretePath: string
  /** The source; absent for references and labels. */
  readonly expression?: string
  readonly message: string
}

/** Either the whole list was applied, or the object must not be used. Counters are in list order. */
export type PatchOutcome<Object> =
  | {
      readonly state: 'applied'
      readonly object: Object
      readonly references: readonly FoundReference[]
      readonly counters: readonly PatchCounters[]
    }
  | { readonly state: 'failed'; readonly failure: PatchFailure; readonly counters: readonly PatchCounters[] }
