import type { KubeObject } from '../../api/object.ts'
import type { InformerOptions } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { SyncKind, Trouble } from '../contract.ts'
import type { KindRules } from '../plan/rules.ts'

/** Why something was imported: tenant.yaml says so, something synced refers to it, or it is a node. */
export type ImportCause = 'mapping' | 'reference' | 'node'

/** What is to be done about one import. */
export type ImportPlan =
  | { readonly action: 'nothing' }
  | ImportWrite
  | { readonly action: 'fail'; readonly trouble: Trouble }

export interface ImportWrite {
  readonly action: 'create' | 'update' | 'delete'
  readonly virtual: KubeObject
}

export interface ImportRules {
  readonly kind: SyncKind
  readonly cause: ImportCause
  readonly patch: KindRules['patch']
}

/** Which objects of one kind are imported, and how. */
export interface ImportConfig {
  readonly rules: ImportRules
  virtualOf(host: ObjectName): ObjectName | undefined
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** Whether what leads nowhere may go: all is known that could lead there. */
  isComplete(): boolean
  /** Whether an object of the host may be imported at all. */
  mayImport(object: KubeObject, signal: AbortSignal): boolean | Promise<boolean>
  /** What of the host is watched. */
  readonly sources: readonly InformerOptions[]
  /** The sources are known without their content, which is read when it is needed. */
  readonly readsContent: boolean
}
