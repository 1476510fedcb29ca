import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import type { Owned } from './owned.ts'
import type { OwnedChange, OwnedObjects } from './owned-objects.ts'

/** An owner with the selector for objects that it does not own yet. */
export interface Selecting extends Owned {
  readonly selector: LabelSelector
}

/** Every change of a Pod asks this for every kind of owner, and all but one of them have nothing to do with it. */
const none: readonly never[] = []

/** The owners of a kind to reconcile, because an object was or is theirs, or could become so. */
export function affectedOwners<Owner extends Selecting>(
  owners: Pick<OwnedObjects<Owner>, 'get' | 'in'>,
  kind: string,
  { before, after }: OwnedChange<Owned>,
): ReadonlySet<Owner> {
  const now = after === undefined ? none : ownersOf(owners, kind, after)
  const previously = before === undefined ? none : ownersOf(owners, kind, before)
  return new Set(previously.length === 0 ? now : [...previously, ...now])
}

function ownersOf<Owner extends Selecting>(
  owners: Pick<OwnedObjects<Owner>, 'get' | 'in'>,
  kind: string,
  { namespace, controller, labels, isBeingDeleted }: Owned,
): readonly Owner[] {
  if (controller === undefined) {
    return isBeingDeleted ? none : owners.in(namespace).filter(({ selector }) => selector.matches(labels))
  }
  if (controller.kind !== kind) return none
  const owner = owners.get({ namespace, name: controller.name })
  return owner?.uid === controller.uid ? [owner] : none
}
