import { deepEqual } from '../../base/equal.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'

/** The merge patch from one JSON value to another; undefined if they are equal. */
export function mergeDiff(before: unknown, after: unknown): unknown {
  if (deepEqual(before, after)) return undefined
  if (!isJsonObject(before) || !isJsonObject(after)) return after ?? null
  const patch: Record<string, unknown> = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const change = mergeDiff(member(before, key), member(after, key))
    if (change !== undefined) setMember(patch, key, change)
  }
  return patch
}

function member(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
