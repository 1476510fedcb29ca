import { isObject } from './paths.ts'

/** The text of a JSON value, independent of the order of its members. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}: ${canonical(value[key])}`)
  return `{${members.join(', ')}}`
}

export function inCanonicalOrder(values: readonly unknown[]): unknown[] {
  return [...values].sort((left, right) => (canonical(left) < canonical(right) ? -1 : 1))
}
