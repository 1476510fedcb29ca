import type { KubeObject } from '../../api/object.ts'
import { copiedUid } from '../names/markers.ts'

/** An object that another refers to, as its own kind knows it. */
export interface ReferredObject {
  /** As its server itself shows it: what informers know may be older than what refers to it. */
  readonly virtual: KubeObject | undefined
  readonly copy: KubeObject | undefined
  /** Whether the virtual object is to have a copy. */
  readonly isCarried: boolean
  readonly isFailing: boolean
  /** It has been looked at since either side changed, and nothing is left to do. */
  readonly isSettled: boolean
  /** The uid of its only user, which has made it or will. Absent: anyone may use it. */
  readonly controllerUid?: string | undefined
}

/** What is wrong with a copy: it has yet to be made, is of an object of before, or is behind. */
export type AwaitedCopy = 'missing' | 'outdated' | 'behind'

/** Why what refers to an object waits. Nothing: its copy is as it should be, or will not be there soon. */
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
