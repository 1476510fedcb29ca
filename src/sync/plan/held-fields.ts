import { deepEqual } from '../../base/equal.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ObjectFields } from '../contract.ts'

/** Deeper than any object that a server accepts. */
const deepest = 128

/** Whether the copy has the wanted fields, however the server completed it. */
export function holdsFields(
  found: ObjectFields,
  wanted: ObjectFields,
  closedFields: readonly string[] | undefined,
): boolean {
  if (closedFields !== undefined) {
    return closedFields.every((member) => deepEqual(present(found[member]), present(wanted[member])))
  }
  return Object.entries(wanted).every(([member, value]) => value === undefined || contains(found[member], value))
}

/** Servers omit empty values. */
function present(value: unknown): unknown {
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  return isEmpty ? undefined : value
}

/** Whether all wanted values are present. Additional members do not matter; lists must have the same length. */
export function contains(found: unknown, wanted: unknown, depth = 0): boolean {
  if (Object.is(found, wanted)) return true
  if (depth > deepest) return false
  if (Array.isArray(wanted)) {
    if (wanted.length === 0 && found === undefined) return true
    return Array.isArray(found) && holdsItems(found, wanted, depth)
  }
  if (!isJsonObject(wanted)) return wanted === null && found === undefined
  if (found === undefined) return Object.keys(wanted).length === 0
  return isJsonObject(found) && holdsMembers(found, wanted, depth)
}

function holdsItems(found: readonly unknown[], wanted: readonly unknown[], depth: number): boolean {
  return found.length === wanted.length && wanted.every((item, index) => contains(found[index], item, depth + 1))
}

function holdsMembers(found: ObjectFields, wanted: ObjectFields, depth: number): boolean {
  return Object.entries(wanted).every(
    ([member, value]) =>
      value === undefined || contains(Object.hasOwn(found, member) ? found[member] : undefined, value, depth + 1),
  )
}
