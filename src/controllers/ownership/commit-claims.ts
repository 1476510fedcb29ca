import { type KubeObject, objectKeyOf } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { uidOf } from '../../registry/controllers/owner-state.ts'
import { tryAll } from '../run/try-all.ts'
import type { ControllerWriter } from '../run/writer.ts'
import { adoptedBy, type OwnershipClaims, planClaims, releasedBy } from './claims.ts'
import { type Owned, ownerId } from './owned.ts'
import type { OwnedObjects } from './owned-objects.ts'

export interface ClaimKinds {
  readonly owners: ResourceContext
  readonly dependents: ResourceContext
  /** The finalizer with which owners of this kind hold their dependents. */
  readonly finalizer?: string
}

export interface KnownDependents<Facts extends Owned> extends ClaimKinds {
  readonly known: Pick<OwnedObjects<Facts>, 'ownedBy' | 'looseIn'>
}

export interface Claimant<Facts extends Owned> {
  readonly owner: KubeObject
  readonly selector: LabelSelector
  /** Others are not touched. */
  readonly isCandidate?: (facts: Facts) => boolean
}

/** Plans and carries out the claims for all objects that the owner has or might adopt. */
export async function claimDependents<Facts extends Owned>(
  writer: ControllerWriter,
  kinds: KnownDependents<Facts>,
  { owner, selector, isCandidate = () => true }: Claimant<Facts>,
): Promise<void> {
  const { known } = kinds
  const id = ownerId(owner)
  const candidates = [...known.ownedBy(id), ...known.looseIn(id.namespace)].filter(isCandidate)
  await commitClaims(writer, kinds, owner, planClaims(owner, selector, candidates))
}

/** Adopts free objects, and releases those that no longer match. A refusal does not hold up the others. */
export async function commitClaims(
  writer: ControllerWriter,
  { owners, dependents, finalizer }: ClaimKinds,
  owner: KubeObject,
  { adopted, released }: Pick<OwnershipClaims<Owned>, 'adopted' | 'released'>,
): Promise<void> {
  const release = (each: Owned) => writer.edit(dependents, each, releasedBy(owner, each, finalizer))
  const adopt = (each: Owned) => {
    const adopted = adoptedBy(owner, each, finalizer)
    return writer.edit(dependents, each, (object) => (isThere(owners, owner) ? adopted(object) : undefined))
  }
  const claims = [...released.map((each) => () => release(each)), ...adopted.map((each) => () => adopt(each))]
  await tryAll(claims, (claim) => claim())
}

/** Objects adopted by a deleted owner would be garbage-collected with it. */
function isThere({ cache }: ResourceContext, owner: KubeObject): boolean {
  const now = cache.get(objectKeyOf(owner))
  return now !== undefined && uidOf(now) === owner.metadata.uid && !now.isBeingDeleted
}
