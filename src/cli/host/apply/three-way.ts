import type { KubeObject } from '../../../api/object.ts'
import { deepEqual } from '../../../base/equal.ts'
import { placeOf, valueAtPlace, withoutPlace } from './managed-field.ts'

/** A field that another manager has changed. */
export interface ApplyConflict {
  readonly field: string
  /** The manager, as the server names it. */
  readonly message: string
}

export interface Resolution {
  /** The object to apply with force. */
  readonly object: KubeObject
  /** The fields left to others. */
  readonly kept: readonly ApplyConflict[]
}

/**
 * Keeps what others have changed, unless we change it too: if our value is the same as last time, they win; if it is
 * new, we do.
 */
export function resolveConflicts(
  wanted: KubeObject,
  last: KubeObject | undefined,
  conflicts: readonly ApplyConflict[],
): Resolution {
  const kept = innermost(conflicts).filter(({ field }) => last !== undefined && isUnchanged(wanted, last, field))
  const object = kept.reduce((rest, { field }) => {
    const place = placeOf(rest, field)
    return place === undefined || place.length === 0 ? rest : withoutPlace(rest, place)
  }, wanted)
  return { object, kept }
}

/** Servers also name the fields around a field; only the innermost one belongs to a manager. */
function innermost(conflicts: readonly ApplyConflict[]): readonly ApplyConflict[] {
  return conflicts.filter(({ field: outer }) => !conflicts.some(({ field }) => isInside(field, outer)))
}

function isInside(field: string, outer: string): boolean {
  return field.length > outer.length && field.startsWith(outer) && ['.', '['].includes(field.charAt(outer.length))
}

function isUnchanged(wanted: KubeObject, last: KubeObject, field: string): boolean {
  const [now, before] = [placeOf(wanted, field), placeOf(last, field)]
  if (now === undefined || before === undefined) return false
  return deepEqual(valueAtPlace(wanted, now), valueAtPlace(last, before))
}
