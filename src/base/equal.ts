/** Whether two JSON values are the same. The order of an object's members does not matter; an undefined one is absent. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left)) return Array.isArray(right) && equalArrays(left, right)
  return !Array.isArray(right) && equalMembers(left, right)
}

function equalArrays(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => deepEqual(item, right[index]))
}

function equalMembers(left: object, right: object): boolean {
  const mine = present(left)
  const theirs = new Map(present(right))
  return (
    mine.length === theirs.size && mine.every(([name, value]) => theirs.has(name) && deepEqual(value, theirs.get(name)))
  )
}

function present(object: object): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined)
}
