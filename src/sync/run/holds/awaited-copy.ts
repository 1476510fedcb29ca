import type { KubeObject } from '../../../api/object.ts'
import { copiedUid } from '../../names/markers.ts'

/** A referenced object, as its own kind knows it. */
export interface ReferredObject {
  /** Read from the server itself: informers may be older than the object that refers to it. */
  readonly virtual: KubeObject | undefined
  readonly copy: KubeObject | undefined
  /** Whether the virtual object should have a copy. */
  readonly isCarried: boolean
  readonly isFailing: boolean
  /** Whether it was checked since either side changed, and nothing is left to do. */
  readonly isSettled: boolean
  /** The uid of its only user, which created it or will. Absent: any object may use it. */
  readonly controllerUid?: string | undefined
}

/** The problem with a copy: it does not exist yet, belongs to an earlier object, or is behind. */
export type AwaitedCopy = 'missing' | 'outdated' | 'behind'

/** Why an object with a reference waits. Undefined: the copy is up to date, or will not exist soon. */
export function whyAwaited({
  virtual,
  copy,
  isCarried,
  isFailing,
  isSettled,
  controllerUid,
}: ReferredObject): AwaitedCopy | undefined {
  if (controllerUid !== undefined && controllerOf(virtual) !== controllerUid) return virtual ? 'outdated' : 'missing'
  if (copy === undefined) return isCarried && !isFailing ? 'missing' : undefined
  const isOfBefore = !isCarried || copiedUid(copy) !== virtual?.metadata.uid
  if (isOfBefore || copy.metadata.deletionTimestamp !== undefined) return 'outdated'
  return isSettled || isFailing ? undefined : 'behind'
}

function controllerOf(virtual: KubeObject | undefined): string | undefined {
  return virtual?.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
}
