import type { CompiledExpression } from '../expression/contract.ts'
import type { Path } from './path/path.ts'

/** `toHost` applies `expression`, `toVirtual` applies `reverseExpression`. */
export type Direction = 'toHost' | 'toVirtual'

export interface CompiledPatch {
  readonly path: Path
  /** The path as it was written, for messages. */
  readonly pathText: string
  readonly action: PatchAction
}

export type PatchAction = ExpressionAction | ReferenceAction | LabelsAction

/** A direction without an expression is left alone. */
export interface ExpressionAction {
  readonly type: 'expression'
  readonly toHost?: CompiledExpression
  readonly toVirtual?: CompiledExpression
}

/** Paths are relative to the value that the patch's path leads to. Without `namePath` that value is the name itself. */
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

/** How names of referenced objects go from one side to the other. */
export interface NameTranslator {
  /** Names stay as they are and only namespaces are mapped. */
  readonly multiNamespace: boolean
  /** Nothing for an object in a namespace that is not mapped: under its name the host may have one of others. */
  toHost(kind: ReferencedKind, namespace: string, name: string): ObjectName | undefined
  /** Nothing for a host object that is not one of this tenant's. */
  toVirtual(kind: ReferencedKind, hostNamespace: string, hostName: string): ObjectName | undefined
}

/** How selectors and maps of labels go from one side to the other. */
export interface LabelTranslator {
  /** On the host, selectors also require these, so that they never match an object of another owner. */
  readonly narrowing: Readonly<Record<string, string>>
  toHost(key: string): string
  /** Nothing for a label that exists on the host only. */
  toVirtual(key: string): string | undefined
}

/** A reference that was found, named as on the side it comes from, for code that syncs or imports what it refers to. */
export interface FoundReference extends ReferencedKind, ObjectName {
  readonly direction: Direction
  /** Where it stands, as a printed path. */
  readonly path: string
  /** What it is on the other side; nothing for a host object that would have to be imported. */
  readonly translated?: ObjectName
}

/** What one patch did to one object. */
export interface PatchCounters {
  readonly matched: number
  readonly changed: number
  /** 1 if the path led nowhere; also counts references that lack the name their namePath means. */
  readonly notFound: number
  readonly failed: number
}

export interface PatchFailure {
  /** The position of the patch in its list. */
  readonly index: number
  readonly path: string
  /** Which match failed. */
  readonly concretePath: string
  /** The source; absent for references and labels. */
  readonly expression?: string
  readonly message: string
}

/** Either the whole list was applied, or the object is not to be used. Counters are in the order of the list. */
export type PatchOutcome<Object> =
  | {
      readonly state: 'applied'
      readonly object: Object
      readonly references: readonly FoundReference[]
      readonly counters: readonly PatchCounters[]
    }
  | { readonly state: 'failed'; readonly failure: PatchFailure; readonly counters: readonly PatchCounters[] }
