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
  /** By which owners of the kind hold what they own. */
  readonly finalizer?: string
}

export interface KnownDependents<Facts extends Owned> extends ClaimKinds {
  readonly known: Pick<OwnedObjects<Facts>, 'ownedBy' | 'looseIn'>
}

export interface Claimant<Facts extends Owned> {
  readonly owner: KubeObject
  readonly selector: LabelSelector
  /** Others stay as they are. */
  readonly isCandidate?: (facts: Facts) => boolean
}

/** Decides and does it, for all that the owner has, or might take. */
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

/** Takes what is free, and lets go of what no longer matches. One that is refused does not keep the others waiting. */
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

/** What an owner that is gone adopts would be collected with it. */
function isThere({ cache }: ResourceContext, owner: KubeObject): boolean {
  const now = cache.get(objectKeyOf(owner))
  return now !== undefined && uidOf(now) === owner.metadata.uid && !now.isBeingDeleted
}
