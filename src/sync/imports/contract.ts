import type { KubeObject } from '../../api/object.ts'
import type { InformerOptions } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { SyncKind, Trouble } from '../contract.ts'
import type { KindRules } from '../plan/rules.ts'

/**
 * Why an object was imported: by a mapping in tenant.yaml, by a reference of a synced object, or because it is a node.
 */
export type ImportCause = 'mapping' | 'reference' | 'node'

/** The action for one import. */
export type ImportPlan =
  | { readonly action: 'nothing' }
  | ImportWrite
  /** For an import that is being deleted. */
  | { readonly action: 'wait'; readonly trouble: Trouble }
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

/** The objects of one kind to import, and how. */
export interface ImportConfig {
  readonly rules: ImportRules
  virtualOf(host: ObjectName): ObjectName | undefined
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** Whether all references are known, so that imports without one may be deleted. */
  isComplete(): boolean
  /** Whether an object of the host may be imported at all. */
  mayImport(object: KubeObject, signal: AbortSignal): boolean | Promise<boolean>
  /** What to watch on the host. */
  readonly sources: readonly InformerOptions[]
  /** Whether the sources are known without their content, which is read on demand. */
  readonly readsContent: boolean
}
