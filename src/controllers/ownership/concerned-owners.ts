import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import type { Owned } from './owned.ts'
import type { OwnedChange, OwnedObjects } from './owned-objects.ts'

/** An owner with the selector for objects that it does not own yet. */
export interface Selecting extends Owned {
  readonly selector: LabelSelector
}

/** The owners of a kind to reconcile, because an object was or is theirs, or could become so. */
export function concernedOwners<Owner extends Selecting>(
  owners: Pick<OwnedObjects<Owner>, 'get' | 'in'>,
  kind: string,
  { before, after }: OwnedChange<Owned>,
): ReadonlySet<Owner> {
  return new Set([before, after].flatMap((each) => (each === undefined ? [] : ownersOf(owners, kind, each))))
}

function ownersOf<Owner extends Selecting>(
  owners: Pick<OwnedObjects<Owner>, 'get' | 'in'>,
  kind: string,
  { namespace, controller, labels, isBeingDeleted }: Owned,
): readonly Owner[] {
  if (controller === undefined) {
    return isBeingDeleted ? [] : owners.in(namespace).filter(({ selector }) => selector.matches(labels))
  }
  if (controller.kind !== kind) return []
  const owner = owners.get({ namespace, name: controller.name })
  return owner?.uid === controller.uid ? [owner] : []
}
