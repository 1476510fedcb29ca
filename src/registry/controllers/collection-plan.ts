import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.ts'
import type { KubeObject, OwnerReference } from '../../api/object.ts'
import type { DeletionPolicy } from '../contract.ts'

/** `waiting`: the owner is being deleted and waits for its dependents to be deleted first. */
export type CollectedOwnerState = 'present' | 'absent' | 'waiting'

export interface JudgedReference {
  readonly reference: OwnerReference
  readonly owner: CollectedOwnerState
}

/** `waiting`: a dependent is being deleted and waits for its own dependents, so this may be a cycle. */
export type DependentsState = 'none' | 'some' | 'waiting'

export type CollectionPlan =
  | { readonly action: 'keep' }
  | { readonly action: 'forget-owners'; readonly uids: readonly string[] }
  | {
      readonly action: 'delete'
      readonly policy: NonNullable<DeletionPolicy['propagationPolicy']>
      /** Whether the object's owners stop waiting for it, in the same write: otherwise an owner could be deleted first. */
      readonly unblocksOwners: boolean
    }

/** Decides what happens to an object, given the state of its owners: it is deleted only if none of them is left. */
export function planCollection(
  object: KubeObject,
  references: readonly JudgedReference[],
  dependents: DependentsState,
): CollectionPlan {
  if (references.length === 0) return { action: 'keep' }
  const lost = references.filter(({ owner }) => owner !== 'present')
  if (lost.length === 0) return { action: 'keep' }
  if (lost.length < references.length) {
    return { action: 'forget-owners', uids: lost.map(({ reference }) => reference.uid) }
  }
  const ownerWaits = lost.some(({ owner }) => owner === 'waiting')
  if (!ownerWaits || dependents === 'none') {
    return { action: 'delete', policy: ownPolicy(object), unblocksOwners: false }
  }
  return { action: 'delete', policy: 'Foreground', unblocksOwners: dependents === 'waiting' }
}

function ownPolicy(object: KubeObject): NonNullable<DeletionPolicy['propagationPolicy']> {
  const finalizers = object.metadata.finalizers ?? []
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}

export function withoutOwners(object: KubeObject, uids: readonly string[]): KubeObject | undefined {
  const present = object.metadata.ownerReferences ?? []
  const lost = new Set(uids)
  const kept = present.filter((reference) => !lost.has(reference.uid))
  if (kept.length === present.length) return undefined
  const { ownerReferences: _, ...metadata } = object.metadata
  return { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept } }
}

/** The given owners, or all, no longer wait for the object's deletion. */
export function withoutBlocking(object: KubeObject, uids?: readonly string[]): KubeObject | undefined {
  const freed = uids === undefined ? undefined : new Set(uids)
  const isFreed = ({ uid, blockOwnerDeletion }: OwnerReference) =>
    blockOwnerDeletion === true && freed?.has(uid) !== false
  const present = object.metadata.ownerReferences ?? []
  if (!present.some(isFreed)) return undefined
  const ownerReferences = present.map((each) => (isFreed(each) ? { ...each, blockOwnerDeletion: false } : each))
  return { ...object, metadata: { ...object.metadata, ownerReferences } }
}

export function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject | undefined {
  const present = object.metadata.finalizers ?? []
  if (!present.includes(finalizer)) return undefined
  const kept = present.filter((each) => each !== finalizer)
  const { finalizers: _, ...metadata } = object.metadata
  return { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }
}
