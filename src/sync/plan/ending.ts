import type { KubeObject } from '../../api/object.ts'
import type { BothSides, CopyDeletion, Ending, Pair, Plan, SyncKind } from '../contract.ts'
import { copiedUid } from '../names/markers.ts'
import type { KindRules } from './rules.ts'
import { statusWrite } from './virtual-write.ts'

/**
 * The plan for an object that ends together with its copy, if one of them is ending or has ended; undefined if both
 * continue. A missing copy was confirmed to be deleted if `needsConfirmation` requires it.
 */
export async function planEnding(pair: Pair, ending: Ending, rules: KindRules): Promise<Plan | undefined> {
  const { virtual, copy } = pair
  if (virtual === undefined) return isEnding(copy) ? waitForEnd(copy) : endCopy(copy, 'the virtual object is gone')
  if (copy === undefined) return afterCopy(virtual, ending)
  if (copiedUid(copy) !== virtual.metadata.uid) {
    return isEnding(copy) ? waitForEnd(copy) : endCopy(copy, 'the virtual object was created again')
  }
  if (isEnding(virtual)) return shortened(virtual, copy, ending) ?? lastWords(virtual, copy, rules)
  if (!isEnding(copy)) return undefined
  return wasPlaced({ virtual, copy }, rules) ? followCopy(virtual, copy) : waitForEnd(copy)
}

/** A copy that was on no node ends nothing: like one that is missing, it is created again. */
function wasPlaced({ virtual, copy }: BothSides, { kind }: KindRules): boolean {
  return kind.nodeOf?.(copy) !== '' || kind.endsWithCopy?.hasRun(virtual) === true
}

/** Whether the missing copy has consequences, so that the host itself must be asked. */
export function needsConfirmation(virtual: KubeObject, { endsWithCopy: ending }: SyncKind): boolean {
  if (ending === undefined) return false
  return isEnding(virtual) || (ending.hasRun(virtual) && !ending.hasEnded(virtual))
}

/** Whether an object without a copy no longer gets one. */
export function isOver(virtual: KubeObject, { endsWithCopy: ending }: SyncKind): boolean {
  return ending !== undefined && afterCopy(virtual, ending) !== undefined
}

/** An object that has ended stays unchanged, and one that never ran gets its copy. */
function afterCopy(virtual: KubeObject, { hasRun, hasEnded }: Ending): Plan | undefined {
  const because = 'the copy has ended'
  if (isEnding(virtual)) return { action: 'end', virtual, graceSeconds: 0, because }
  if (hasEnded(virtual)) return { action: 'nothing' }
  return hasRun(virtual) ? { action: 'end', virtual, graceSeconds: 0, because } : undefined
}

/** Compares the grace period, not the deadline, because the clocks of two clusters differ. */
function shortened(virtual: KubeObject, copy: KubeObject, { longestGraceSeconds }: Ending): Plan | undefined {
  const given = graceOf(virtual)
  const asked = given && Math.min(given, longestGraceSeconds)
  const isInTime = isEnding(copy) && (asked === undefined || asked >= (graceOf(copy) ?? 0))
  return isInTime ? undefined : endCopy(copy, 'the virtual object is being deleted', asked)
}

/** Takes over the last state of the copy, such as exit codes, before it is deleted. */
async function lastWords(virtual: KubeObject, copy: KubeObject, rules: KindRules): Promise<Plan> {
  const { change, trouble } = await statusWrite(virtual, copy, rules)
  if (change === undefined) return waitForEnd(copy)
  return { action: 'update', virtual: change, ...(trouble && { trouble }) }
}

/** The copy was evicted, drained or deleted on the host. The virtual object exists until the copy is deleted. */
function followCopy(virtual: KubeObject, copy: KubeObject): Plan {
  const graceSeconds = Math.max(1, graceOf(copy) ?? 1)
  return { action: 'end', virtual, graceSeconds, because: 'the copy is being deleted on the host' }
}

/**
 * Without a given grace period, the copy has its own: deleting the virtual object must not kill its containers at once.
 */
export function endCopy(copy: KubeObject, because: string, graceSeconds?: number): CopyDeletion {
  return { action: 'delete', copy, because, ends: graceSeconds === undefined ? {} : { graceSeconds } }
}

export function waitForEnd({ metadata }: KubeObject): Plan {
  const held = metadata.finalizers?.join(', ')
  const message = held ? `the copy is being deleted and is held by ${held}` : 'the copy is being deleted'
  return { action: 'wait', trouble: { reason: 'CopyBeingDeleted', message } }
}

function isEnding({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** Undefined for an object that was force-deleted. */
function graceOf({ metadata }: KubeObject): number | undefined {
  return metadata.deletionGracePeriodSeconds || undefined
}
