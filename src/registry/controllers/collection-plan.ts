import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.ts'
import type { KubeObject, OwnerReference } from '../../api/object.ts'
import type { DeleteOptions } from '../contract.ts'

/** `waiting`: the owner is being deleted and waits for its dependents to go first. */
export type OwnerState = 'present' | 'absent' | 'waiting'

export interface JudgedReference {
  readonly reference: OwnerReference
  readonly owner: OwnerState
}

export type CollectionPlan =
  | { readonly action: 'keep' }
  | { readonly action: 'forget-owners'; readonly uids: readonly string[] }
  | { readonly action: 'delete'; readonly policy: NonNullable<DeleteOptions['propagationPolicy']> }

/** What becomes of an object, given what has become of its owners: it goes only when none of them is left. */
export function planCollection(
  object: KubeObject,
  references: readonly JudgedReference[],
  hasDependents: boolean,
): CollectionPlan {
  if (references.length === 0) return { action: 'keep' }
  const lost = references.filter(({ owner }) => owner !== 'present')
  if (lost.length === 0) return { action: 'keep' }
  if (lost.length < references.length) {
    return { action: 'forget-owners', uids: lost.map(({ reference }) => reference.uid) }
  }
  const ownerWaits = lost.some(({ owner }) => owner === 'waiting')
  return { action: 'delete', policy: ownerWaits && hasDependents ? 'Foreground' : ownPolicy(object) }
}

function ownPolicy(object: KubeObject): NonNullable<DeleteOptions['propagationPolicy']> {
  const finalizers = object.metadata.finalizers ?? []
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}

export function withoutOwners(object: KubeObject, uids: readonly string[]): KubeObject | undefined {
  const present = object.metadata.ownerReferences ?? []
  const kept = present.filter((reference) => !uids.includes(reference.uid))
  if (kept.length === present.length) return undefined
  const { ownerReferences: _, ...metadata } = object.metadata
  return { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept } }
}

export function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject | undefined {
  const present = object.metadata.finalizers ?? []
  if (!present.includes(finalizer)) return undefined
  const kept = present.filter((each) => each !== finalizer)
  const { finalizers: _, ...metadata } = object.metadata
  return { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }
}
