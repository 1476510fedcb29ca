import { isJsonObject } from '../../base/json/member.ts'
import { type CelList, type CelMap, type CelResult, type CelValue, celList, noSuchOverload } from '../../cel/value.ts'

/** A JSON value as expressions see it without a schema: whole numbers are ints. What lies in it is looked at when it is asked for. */
export function plainValue(value: unknown): CelValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isInteger(value) ? BigInt(value) : value
    default:
      if (Array.isArray(value)) return plainList(value)
      return isJsonObject(value) ? new PlainMap(value) : null
  }
}

function plainList(items: readonly unknown[]): CelList {
  if (items.length === 0) return celList([])
  return { kind: 'list', size: items.length, at: (index) => plainValue(items[index]) }
}

class PlainMap implements CelMap {
  readonly kind = 'map'
  readonly #value: Record<string, unknown>

  constructor(value: Record<string, unknown>) {
    this.#value = value
  }

  get size(): number {
    return Object.keys(this.#value).length
  }

  find(key: CelValue): CelResult | undefined {
    if (typeof key !== 'string') return noSuchOverload
    return Object.hasOwn(this.#value, key) ? plainValue(this.#value[key]) : undefined
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.#value)
  }
}
