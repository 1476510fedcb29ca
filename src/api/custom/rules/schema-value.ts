import { deepEqual } from '../../../base/equal.ts'
import { isWhole } from '../../../base/json/large-integer.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { lazily } from '../../../base/lazily.ts'
import { KeptValues } from '../../../cel/kept-values.ts'
import { areEqual } from '../../../cel/run/equal.ts'
import { celDuration, celTimestamp } from '../../../cel/standard/time.ts'
import {
  type CelList,
  type CelMap,
  type CelOpaque,
  type CelResult,
  type CelValue,
  celBytes,
  failure,
  isFailure,
  valueSize,
} from '../../../cel/value.ts'
import type { WorkMeter } from '../../../cel/work-meter.ts'
import { workOfName } from '../../cel/json-value.ts'
import { bytesOfBase64, canonicalBase64 } from '../../decode/base64.ts'
import { shortened } from '../../human/shortened.ts'
import { memberStructure, type Structure } from '../structure.ts'
import { escapedProperty } from './property-names.ts'
import { withResourceMembers } from './resource-members.ts'

/**
 * A JSON value as expressions see it, according to its schema. Nested values are converted on first use, and cached.
 * Values that an expression does not access itself need no `meter`.
 */
export function schemaValue(structure: Structure, value: unknown, meter?: WorkMeter): CelResult {
  if (value === null || value === undefined) {
    return structure.isNullable ? null : failure('invalid data, got null for schema with nullable=false')
  }
  if (structure.isIntOrString) return intOrText(value)
  switch (structure.type) {
    case 'object':
      return isJsonObject(value) ? new SchemaMap(structure, value) : mismatch('a map')
    case 'array':
      return Array.isArray(value) ? listOf(structure, value) : mismatch('an array')
    case 'string':
      return typeof value === 'string' ? textOf(structure, value, meter) : mismatch('string')
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : mismatch('float')
    case 'integer':
      return isWhole(value) ? BigInt(value) : mismatch('int')
    case 'boolean':
      return typeof value === 'boolean' ? value : mismatch('bool')
    default:
      return new HiddenValue(value)
  }
}

function intOrText(value: unknown): CelResult {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' ? BigInt(Math.trunc(value)) : String(value)
}

function mismatch(wanted: string): CelResult {
  return failure(`invalid data, expected ${wanted}`)
}

function textOf({ checks: { format } }: Structure, text: string, meter?: WorkMeter): CelResult {
  switch (format) {
    case 'duration':
      return celDuration(text) ?? invalidText('duration', text)
    case 'date':
      return celTimestamp(`${text}T00:00:00Z`) ?? invalidText('date formatted string', text)
    case 'date-time':
      return celTimestamp(text.toUpperCase()) ?? invalidText('date-time formatted string', text)
    case 'byte':
      return bytesOf(text, meter)
    default:
      return text
  }
}

function bytesOf(text: string, meter?: WorkMeter): CelResult {
  meter?.work(text.length / 2)
  const found = canonicalBase64(text)
  return found.valid ? celBytes(bytesOfBase64(found.text)) : invalidText('byte formatted string', text)
}

const longestShown = 200

function invalidText(what: string, text: string): CelResult {
  return failure(`Invalid ${what} ${shortened(text, longestShown)}`)
}

/** A value that the schema does not describe can only be compared with itself. */
class HiddenValue implements CelOpaque {
  readonly kind = 'opaque'
  readonly typeName = 'unknown'
  readonly #value: unknown
  readonly #work = lazily(() => workOfComparing(this.#value))

  constructor(value: unknown) {
    this.#value = value
  }

  equals(other: CelOpaque, meter: WorkMeter): boolean {
    if (!(other instanceof HiddenValue)) return false
    meter.work(this.#work() + other.#work())
    return deepEqual(this.#value, other.#value)
  }
}

function workOfComparing(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 16
  if (typeof value !== 'object' || value === null) return 1
  let work = 1
  for (const [name, each] of Object.entries(value)) work += workOfMember + name.length / 16 + workOfComparing(each)
  return work
}

const workOfMember = 20

class SchemaMap implements CelMap {
  readonly kind = 'map'
  readonly #structure: Structure
  readonly #value: Record<string, unknown>
  readonly #isObject: boolean
  readonly #kept = new KeptValues<string, CelResult>()
  #names: readonly string[] | undefined
  #size: number | undefined

  constructor(structure: Structure, value: Record<string, unknown>) {
    this.#structure = structure.isResource ? withResourceMembers(structure) : structure
    this.#value = value
    this.#isObject = this.#structure.properties.size > 0
  }

  get size(): number {
    this.#size ??= Object.keys(this.#value).length
    return this.#size
  }

  find(key: CelValue, meter: WorkMeter): CelResult | undefined {
    if (typeof key !== 'string') return failure('no such overload')
    const name = this.#isObject ? unescapedProperty(key) : key
    if (!Object.hasOwn(this.#value, name)) return undefined
    const value = this.#value[name]
    if (this.#isObject && value === null) return undefined
    const structure = memberStructure(this.#structure, name)
    if (structure === undefined) return undefined
    return this.#kept.get(name, () => schemaValue(structure, value, meter))
  }

  keys(meter: WorkMeter): readonly CelValue[] {
    if (this.#names === undefined) meter.work(this.size * workOfName)
    this.#names ??= this.#listed()
    return this.#names
  }

  #listed(): readonly string[] {
    const names = Object.keys(this.#value).filter((name) => memberStructure(this.#structure, name) !== undefined)
    return this.#isObject ? names.map((name) => escapedProperty(name) ?? name) : names
  }
}

const unescapes: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
])

function unescapedProperty(name: string): string {
  if (!name.includes('__')) return name
  return name.replace(/__([a-z]+)__/g, (_, word: string) => unescapes.get(word) ?? word)
}

/** Determines whether items are identified by position, value or keys. */
type ListKind = 'plain' | 'set' | 'map'

function listOf(structure: Structure, items: readonly unknown[]): CelResult {
  if (structure.items === undefined) return failure('invalid array type, expected Items with a non-empty Schema')
  const { listType } = structure
  return new SchemaList(
    structure,
    structure.items,
    items,
    listType === 'set' || listType === 'map' ? listType : 'plain',
  )
}

class SchemaList implements CelList {
  readonly kind = 'list'
  readonly size: number
  readonly sameAs?: (other: CelList, meter: WorkMeter) => boolean
  readonly plus: (other: CelList, meter: WorkMeter) => CelList
  readonly #structure: Structure
  readonly #item: Structure
  readonly #items: readonly unknown[]
  /** Items that an expression has added. */
  readonly #added: readonly CelValue[]
  readonly #kept = new KeptValues<number, CelResult>()

  constructor(
    structure: Structure,
    item: Structure,
    items: readonly unknown[],
    listKind: ListKind,
    added: readonly CelValue[] = [],
  ) {
    this.#structure = structure
    this.#item = item
    this.#items = items
    this.#added = added
    this.size = items.length + added.length
    if (listKind !== 'plain') this.sameAs = (other, meter) => this.#hasAll(other, meter)
    this.plus = (other, meter) => this.#joined(other, listKind, meter)
  }

  at(index: number, meter: WorkMeter): CelResult {
    if (index < this.#items.length) {
      return this.#kept.get(index, () => schemaValue(this.#item, this.#items[index], meter))
    }
    return this.#added[index - this.#items.length] ?? null
  }

  /** For lists of the same size: whether each item of the other one is here, in any order. */
  #hasAll(other: CelList, meter: WorkMeter): boolean {
    const own = this.#byKey(this, meter)
    for (let index = 0; index < other.size; index++) {
      const item = other.at(index, meter)
      if (isFailure(item)) return false
      const same = own.get(this.#celKey(item, meter))
      if (same === undefined || !areEqual(same, item, meter)) return false
    }
    return true
  }

  #byKey(list: CelList, meter: WorkMeter): Map<string, CelValue> {
    const found = new Map<string, CelValue>()
    for (let index = 0; index < list.size; index++) {
      const item = list.at(index, meter)
      if (!isFailure(item)) found.set(this.#celKey(item, meter), item)
    }
    return found
  }

  #celKey(item: CelValue, meter: WorkMeter): string {
    const { listType, listMapKeys } = this.#structure
    if (listType !== 'map' || typeof item !== 'object' || item?.kind !== 'map') return scalarKey(item, meter)
    const fields = listMapKeys.map((key) => fieldValue(item, escapedProperty(key) ?? key, meter))
    return JSON.stringify(fields.map((field) => scalarKey(field, meter)))
  }

  /** A set gains new items; a list with keys gains items with new keys, and replaces those with the same key. */
  #joined(other: CelList, listKind: ListKind, meter: WorkMeter): CelList {
    meter.work(other.size + this.#added.length)
    if (listKind === 'plain') return this.#with([...this.#added, ...valuesOf(other, meter)], this.#items)
    const own = this.#byKey(this, meter)
    const added: CelValue[] = []
    for (const item of valuesOf(other, meter)) {
      const key = this.#celKey(item, meter)
      if (own.has(key) && listKind === 'set') continue
      if (!own.has(key)) added.push(item)
      own.set(key, item)
    }
    if (listKind === 'set') return this.#with([...this.#added, ...added], this.#items)
    return new SchemaList(this.#structure, this.#item, [], listKind, [...own.values()])
  }

  #with(added: readonly CelValue[], items: readonly unknown[]): CelList {
    const { listType } = this.#structure
    return new SchemaList(this.#structure, this.#item, items, listType === 'set' ? 'set' : 'plain', added)
  }
}

function valuesOf(list: CelList, meter: WorkMeter): readonly CelValue[] {
  const values: CelValue[] = []
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index, meter)
    if (!isFailure(item)) values.push(item)
  }
  return values
}

function fieldValue(map: CelMap, field: string, meter: WorkMeter): CelValue {
  const value = map.find(field, meter)
  return value === undefined || isFailure(value) ? null : value
}

/** Sets and keys hold scalars. Each is looked up by all of its characters. */
function scalarKey(value: CelValue, meter: WorkMeter): string {
  meter.work(10 + valueSize(value) / 4)
  return typeof value === 'object' && value !== null ? value.kind : `${typeof value}:${String(value)}`
}
