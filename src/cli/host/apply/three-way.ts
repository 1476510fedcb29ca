import type { KubeObject } from '../../../api/object.ts'
import { deepEqual } from '../../../base/equal.ts'
import { placeOf, valueAtPlace, withoutPlace } from './managed-field.ts'

/** A field that another manager has changed. */
export interface ApplyConflict {
  readonly field: string
  /** Who, as the server puts it. */
  readonly message: string
}

export interface Resolution {
  /** What to apply, whatever others say. */
  readonly object: KubeObject
  /** What was left to others. */
  readonly kept: readonly ApplyConflict[]
}

/**
 * What others have changed stays, unless we change it too: where what we want is what we wanted last time, they win;
 * where it is something new, we do.
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
