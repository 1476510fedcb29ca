import type { Steps } from '../../base/steps.ts'
import type { Comparison } from './compare.ts'
import { difference, differenceSteps, type FieldSet, intersection, isEmptySet, union } from './field-set.ts'
import {
  compareIdentities,
  isSameManager,
  type Manager,
  type ManagerIdentity,
  secondsOf,
  withFields,
  withTime,
} from './managers.ts'

/** Further writers are merged, the oldest first. */
const maximumUpdaters = 10
const ancient = 'ancient-changes'

/**
 * The managers after a write: the writer alone owns what it changed, and removed fields have no owner. Each step
 * visits all fields of a manager, or all changed fields.
 */
export function* recordSteps(
  managers: readonly Manager[],
  writer: ManagerIdentity,
  comparison: Comparison,
  time: string | undefined,
): Steps<readonly Manager[]> {
  const before = managers.find((manager) => isSameManager(manager, writer))
  const own = before && withFields(before, difference(before.fields, comparison.removed))
  const others = managers.filter((manager) => !isSameManager(manager, writer))
  yield
  const result = [...(yield* managersAfter(others, comparison))]
  const updated = writerAfter(own, writer, comparison, time)
  yield
  if (updated !== undefined) result.push(updated)
  return capped(result.filter((manager) => !isEmptySet(manager.fields)))
}

const fewManagers = 8

/**
 * Managers with the fields that they keep after a write by another one. With many managers, the walk follows each
 * manager's fields: the changed fields may be as many as all of them have, and would be visited once per manager.
 */
export function* managersAfter(
  managers: readonly Manager[],
  { changed, removed }: Comparison,
): Steps<readonly Manager[]> {
  const lost = (fields: FieldSet, gone: FieldSet) => (managers.length > fewManagers ? intersection(fields, gone) : gone)
  const after: Manager[] = []
  for (const manager of managers) {
    const unchanged = yield* differenceSteps(manager.fields, lost(manager.fields, changed))
    after.push(withFields(manager, yield* differenceSteps(unchanged, lost(unchanged, removed))))
    yield
  }
  return after
}

/** The time of an entry is that of the last write in which its manager set a field. */
function writerAfter(
  own: Manager | undefined,
  writer: ManagerIdentity,
  { changed }: Comparison,
  time: string | undefined,
): Manager | undefined {
  if (isEmptySet(changed)) return own
  if (own !== undefined && !isEmptySet(own.fields)) return withTime(withFields(own, union(own.fields, changed)), time)
  const { name, operation, apiVersion, subresource } = writer
  return { name, operation, apiVersion, subresource, time, fields: changed, entry: undefined }
}

function capped(managers: readonly Manager[]): readonly Manager[] {
  if (managers.length <= maximumUpdaters) return managers
  const updaters = managers.filter((manager) => manager.operation === 'Update')
  if (updaters.length <= maximumUpdaters) return managers
  const appliers = managers.filter((manager) => manager.operation === 'Apply')
  return [...appliers, ...cappedUpdaters(updaters.sort(byAge))]
}

/** Merges the oldest entries of a version, one after the other, until few enough are left. */
function cappedUpdaters(oldestFirst: readonly Manager[]): readonly Manager[] {
  const merged = new Map<string, Manager>()
  const kept: Manager[] = []
  let excess = oldestFirst.length - maximumUpdaters
  for (const updater of oldestFirst) {
    const bucket = merged.get(updater.apiVersion)
    if (excess > 0 && bucket !== undefined) excess -= 1
    else if (excess <= 0) {
      kept.push(updater)
      continue
    }
    merged.set(updater.apiVersion, bucket === undefined ? updater : mergedManager(bucket, updater))
  }
  return [...merged.values(), ...kept]
}

function mergedManager(older: Manager, newer: Manager): Manager {
  const fields = union(newer.fields, older.fields)
  return { ...newer, name: ancient, subresource: '', fields, entry: undefined }
}

/** Merged entries come first, so that there is never more than one. */
function byAge(left: Manager, right: Manager): number {
  const merged = Number(right.name === ancient) - Number(left.name === ancient)
  return merged || secondsOf(left.time) - secondsOf(right.time) || compareIdentities(left, right)
}
