import { isJsonObject } from '../../base/json/member.ts'
import { KeptValues } from '../../cel/kept-values.ts'
import type { CelList, CelMap, CelValue } from '../../cel/value.ts'
import type { WorkMeter } from '../../cel/work-meter.ts'

/** JSON of any shape. Nested values are converted on first use, and cached. */
export function jsonCelValue(value: unknown): CelValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint')
    return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return new JsonList(value)
  return isJsonObject(value) ? new JsonMap(value) : null
}

class JsonList implements CelList {
  readonly kind = 'list'
  readonly size: number
  readonly #items: readonly unknown[]
  readonly #kept = new KeptValues<number, CelValue>()

  constructor(items: readonly unknown[]) {
    this.#items = items
    this.size = items.length
  }

  at(index: number): CelValue {
    return this.#kept.get(index, () => jsonCelValue(this.#items[index]))
  }
}

class JsonMap implements CelMap {
  readonly kind = 'map'
  readonly #value: Record<string, unknown>
  readonly #kept = new KeptValues<string, CelValue>()
  #names: readonly string[] | undefined

  constructor(value: Record<string, unknown>) {
    this.#value = value
  }

  get size(): number {
    return this.#listed().length
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#value, key)) return undefined
    return this.#kept.get(key, () => jsonCelValue(this.#value[key]))
  }

  keys(meter: WorkMeter): readonly string[] {
    if (this.#names === undefined) meter.work(this.size * workOfName)
    return this.#listed()
  }

  #listed(): readonly string[] {
    this.#names ??= Object.keys(this.#value)
    return this.#names
  }
}

/** The work of listing one name of an object. */
export const workOfName = 5
