import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { controllerIn, controllerReference, type Owned } from './owned.ts'

export interface OwnershipClaims<Facts> {
  /** Owned, and still matching. */
  readonly kept: readonly Facts[]
  /** Matching, without a controller. */
  readonly adopted: readonly Facts[]
  /** Owned, but no longer matching. */
  readonly released: readonly Facts[]
}

/** Which objects an owner has, adopts and releases. An owner under deletion adopts and releases nothing. */
export function planClaims<Facts extends Owned>(
  owner: KubeObject,
  selector: LabelSelector,
  candidates: readonly Facts[],
): OwnershipClaims<Facts> {
  const { uid, deletionTimestamp } = owner.metadata
  const own = candidates.filter(({ controller }) => controller?.uid === uid)
  const kept = own.filter(({ labels }) => selector.matches(labels))
  if (deletionTimestamp !== undefined) return { kept, adopted: [], released: [] }
  return {
    kept,
    adopted: candidates.filter(
      ({ controller, labels, isBeingDeleted }) =>
        controller === undefined && !isBeingDeleted && selector.matches(labels),
    ),
    released: own.filter(({ labels, isBeingDeleted }) => !isBeingDeleted && !selector.matches(labels)),
  }
}

/** Undefined if the object is no longer free, or was replaced. The owner may hold it by a finalizer. */
export function adoptedBy(
  owner: KubeObject,
  claimed: Owned,
  finalizer?: string,
): (object: KubeObject) => KubeObject | undefined {
  return (object) => {
    const { metadata } = object
    if (metadata.uid !== claimed.uid || metadata.deletionTimestamp !== undefined) return undefined
    if (controllerIn(metadata) !== undefined) return undefined
    const ownerReferences = [...(metadata.ownerReferences ?? []), controllerReference(owner)]
    const { finalizers = [] } = metadata
    const held = finalizer === undefined || finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer]
    return { ...object, metadata: { ...metadata, ...(held.length > 0 && { finalizers: held }), ownerReferences } }
  }
}

export function releasedBy(
  owner: KubeObject,
  claimed: Owned,
  finalizer?: string,
): (object: KubeObject) => KubeObject | undefined {
  return (object) => {
    const { ownerReferences = [], finalizers = [], ...metadata } = object.metadata
    if (metadata.uid !== claimed.uid) return undefined
    const kept = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid)
    if (kept.length === ownerReferences.length) return undefined
    const held = finalizers.filter((each) => each !== finalizer)
    return {
      ...object,
      metadata: {
        ...metadata,
        ...(held.length > 0 && { finalizers: held }),
        ...(kept.length > 0 && { ownerReferences: kept }),
      },
    }
  }
}
