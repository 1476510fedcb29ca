type Members = Readonly<Record<string, unknown>>

/**
 * Whether two JSON values are equal. The order of an object's members does not matter, and an undefined member counts
 * as absent.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (!isContainer(left) || !isContainer(right)) return false
  if (Array.isArray(left)) return Array.isArray(right) && equalArrays(left, right)
  return !Array.isArray(right) && equalMembers(left, right)
}

function isContainer(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

function equalArrays(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => deepEqual(item, right[index]))
}

/** Allocates nothing per member: an object may have tens of thousands. */
function equalMembers(left: Members, right: Members): boolean {
  const names = Object.keys(left)
  let present = 0
  for (const name of names) {
    const value = left[name]
    if (value === undefined) continue
    if (!Object.hasOwn(right, name) || !deepEqual(value, right[name])) return false
    present += 1
  }
  return present === presentIn(right)
}

function presentIn(members: Members): number {
  let present = 0
  for (const name of Object.keys(members)) if (members[name] !== undefined) present += 1
  return present
}
