import { classOf } from '../../api/core/volumes/volume-columns.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { ObjectReference, PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { Steps } from '../../base/steps.ts'
import type { ObjectId } from '../../registry/document.ts'
import { amount, type ClaimFacts, classGroup, type VolumeFacts } from './volume-facts.ts'

/** Set when both sides refer to each other. */
export const bindCompleted = 'pv.kubernetes.io/bind-completed'

export type ClaimPlan =
  | { readonly action: 'wait' }
  | { readonly action: 'bind'; readonly volume: VolumeFacts }
  | { readonly action: 'lose'; readonly reason: 'ClaimLost' | 'ClaimMisbound'; readonly message: string }

export interface VolumeLookup {
  get(id: ObjectId): VolumeFacts | undefined
  /** See `classGroup`. */
  inGroup(group: string): readonly VolumeFacts[]
}

/**
 * Which volume a claim gets. A claim that was bound here, and whose volume is gone, has lost its data; one that another
 * controller manages is left alone.
 */
export function* planClaim(claim: PersistentVolumeClaim, volumes: VolumeLookup, isDelayed: boolean): Steps<ClaimPlan> {
  const { volumeName = '' } = claim.spec
  const isBound = claim.metadata.annotations?.[bindCompleted] !== undefined
  if (volumeName === '') {
    const volume = isBound || isDelayed ? undefined : yield* bestFor(claim, volumes)
    return volume === undefined ? { action: 'wait' } : { action: 'bind', volume }
  }
  const volume = volumes.get({ namespace: '', name: volumeName })
  if (volume === undefined) return isBound ? lost : { action: 'wait' }
  if (volume.isBeingDeleted && volume.claim?.uid !== claim.metadata.uid) return { action: 'wait' }
  if (isClaimMeant(claim, volume.claim)) return { action: 'bind', volume }
  if (volume.claim !== undefined) return isBound ? misbound : { action: 'wait' }
  return isBound || satisfying(claim)(volume) ? { action: 'bind', volume } : { action: 'wait' }
}

const lost: ClaimPlan = {
  action: 'lose',
  reason: 'ClaimLost',
  message: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
}

const misbound: ClaimPlan = {
  action: 'lose',
  reason: 'ClaimMisbound',
  message: 'Two claims are bound to the same volume, this one is bound incorrectly',
}

export type VolumePlan =
  | { readonly action: 'phase'; readonly phase: 'Available' | 'Bound' | 'Released' }
  /** Its claim has another volume. */
  | { readonly action: 'free' }
  /** Its claim is reconciled first. */
  | { readonly action: 'wait' }

export function planVolume({ name, phase, claim: reference }: VolumeFacts, claim: ClaimFacts | undefined): VolumePlan {
  if (reference === undefined || (reference.uid ?? '') === '') return { action: 'phase', phase: 'Available' }
  if (claim?.uid !== reference.uid) {
    return phase === 'Failed' ? { action: 'wait' } : { action: 'phase', phase: 'Released' }
  }
  if (claim?.volumeName === '') return { action: 'wait' }
  return claim?.volumeName === name ? { action: 'phase', phase: 'Bound' } : { action: 'free' }
}

/** The volume reserved for it, or else the smallest one that is large enough. */
function* bestFor(claim: PersistentVolumeClaim, volumes: VolumeLookup): Steps<VolumeFacts | undefined> {
  const satisfies = satisfying(claim)
  const storageClass = classOf(claim.spec.storageClassName, claim.metadata.annotations)
  let best: VolumeFacts | undefined
  for (const volume of volumes.inGroup(classGroup(storageClass))) {
    yield
    if (!satisfies(volume)) continue
    if (isClaimMeant(claim, volume.claim)) return volume
    const isFree = volume.claim === undefined && volume.phase === 'Available'
    if (isFree && (best === undefined || isBetter(volume, best))) best = volume
  }
  return best
}

function isBetter(volume: VolumeFacts, than: VolumeFacts): boolean {
  return volume.capacity < than.capacity || (volume.capacity === than.capacity && volume.name < than.name)
}

/** Which volumes satisfy the claim. The claim is evaluated once, not for each volume. */
function satisfying({ metadata, spec }: PersistentVolumeClaim): (volume: VolumeFacts) => boolean {
  const { accessModes = [], volumeMode = 'Filesystem', resources } = spec
  const storageClass = classOf(spec.storageClassName, metadata.annotations)
  const storage = amount(resources.requests?.storage)
  const modes = [...new Set(accessModes)]
  const selector = spec.selector && labelSelectorFrom(spec.selector)
  return (volume) =>
    !volume.isBeingDeleted &&
    volume.storageClass === storageClass &&
    volume.volumeMode === volumeMode &&
    volume.capacity >= storage &&
    modes.every((mode) => volume.accessModes.includes(mode)) &&
    (selector === undefined || selector.matches(volume.labels))
}

/** A volume may name its claim before the claim exists, and therefore without its uid. */
export function isClaimMeant({ metadata }: PersistentVolumeClaim, reference: ObjectReference | undefined): boolean {
  if (reference === undefined) return false
  const { namespace, name, uid = '' } = reference
  return namespace === metadata.namespace && name === metadata.name && (uid === '' || uid === metadata.uid)
}
