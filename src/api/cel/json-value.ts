import { isJsonObject } from '../../base/json/member.ts'
import type { CelValue } from '../../cel/value.ts'

/** JSON of any shape. What lies inside is made when it is asked for. */
export function jsonCelValue(value: unknown): CelValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return { kind: 'list', size: items.length, at: (index) => jsonCelValue(items[index]) }
  }
  if (!isJsonObject(value)) return null
  const names = Object.keys(value)
  return {
    kind: 'map',
    size: names.length,
    find: (key) => (typeof key === 'string' && Object.hasOwn(value, key) ? jsonCelValue(value[key]) : undefined),
    keys: () => names,
  }
}
