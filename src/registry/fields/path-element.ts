import { goValue } from '../../api/human/go-print.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parsePrecisely } from '../../base/json/precise.ts'
import { printJson } from '../../base/json/print.ts'

/** Path elements are kept as the text that managedFields shows; see FieldSet. */

/** The same few names recur: V8 already knows a cached text as a key. */
const memberElements = new Map<string, string>()
const mostMemberElements = 4_096
const longestKeptName = 64

export function memberElement(name: string): string {
  const known = memberElements.get(name)
  if (known !== undefined) return known
  const element = `f:${name}`
  if (name.length > longestKeptName) return element
  if (memberElements.size >= mostMemberElements) memberElements.clear()
  memberElements.set(name, element)
  return element
}

export function valueElement(value: unknown): string {
  return `v:${printEscaped(value)}`
}

/** `keys` in alphabetical order. */
export function keyElement(keys: readonly (readonly [name: string, value: unknown])[]): string {
  const members = keys.map(([name, value]) => `${printEscaped(name)}:${printEscaped(value)}`)
  return `k:{${members.join(',')}}`
}

/** By key and value. The same few list items recur, too. */
const textKeyElements = new Map<string, Map<string, string>>()
const mostTextKeyElements = 4_096
let textKeyCount = 0

/** The element of an item that is identified by one string. */
export function textKeyElement(name: string, value: string): string {
  const known = textKeyElements.get(name)?.get(value)
  if (known !== undefined) return known
  const element = keyElement([[name, value]])
  if (name.length + value.length > longestKeptName) return element
  if (textKeyCount >= mostTextKeyElements) {
    textKeyElements.clear()
    textKeyCount = 0
  }
  const values = textKeyElements.get(name) ?? new Map<string, string>()
  textKeyElements.set(name, values.set(value, element))
  textKeyCount += 1
  return element
}

function indexElement(index: number): string {
  return `i:${index}`
}

export type ReadElement =
  | { readonly outcome: 'element'; readonly element: string }
  /** An element type that only a later version may know: dropped. */
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'invalid' }

const invalidElement: ReadElement = { outcome: 'invalid' }

/** Normalizes the text of a path element, so that elements can be compared. */
export function readElement(text: string): ReadElement {
  if (text[1] !== ':') return invalidElement
  switch (text[0]) {
    case 'f':
      return { outcome: 'element', element: text }
    case 'v':
      return readValueElement(text.slice(2))
    case 'k':
      return readKeyElement(text.slice(2))
    case 'i':
      return /^-?\d{1,15}$/.test(text.slice(2))
        ? { outcome: 'element', element: indexElement(Number(text.slice(2))) }
        : invalidElement
    default:
      return { outcome: 'unknown' }
  }
}

/** For messages: `.name`, `[port=80,protocol="TCP"]`, `[="value"]`, `[0]`. */
export function printElement(element: string): string {
  const text = element.slice(2)
  switch (element[0]) {
    case 'f':
      return `.${text}`
    case 'v':
      return `[=${printScalar(parsedElement(text))}]`
    case 'k':
      return `[${keysOf(element)
        .map(([name, value]) => `${name}=${printScalar(value)}`)
        .join(',')}]`
    default:
      return `[${text}]`
  }
}

const ranks: Readonly<Record<string, number>> = { '.': 0, f: 1, k: 2, v: 3, i: 4 }

/**
 * Elements in print order: members by name, then items by key or value, numbers by size. Returns the argument itself if
 * it is in order. Names alone, the usual case, are compared as they are; other elements are parsed once each, however
 * often they are compared.
 */
export function sortedElements(elements: readonly string[]): readonly string[] {
  if (elements.length < 2) return elements
  if (elements.every(isNameOrSelf)) return isSorted(elements, compareTexts) ? elements : [...elements].sort()
  const read = elements.map(placeOf)
  return isSorted(read, comparePlaces) ? elements : read.sort(comparePlaces).map(({ element }) => element)
}

function isNameOrSelf(element: string): boolean {
  return element.startsWith('f:') || element === '.'
}

function isSorted<T>(items: readonly T[], compare: (left: T, right: T) => number): boolean {
  return items.every((item, index) => {
    const before = items[index - 1]
    return before === undefined || compare(before, item) <= 0
  })
}

/** What determines the position of an element. */
interface Place {
  readonly element: string
  readonly rank: number
  /** For an item with keys, by name. */
  readonly keys: readonly (readonly [string, unknown])[]
  /** For an item without keys. */
  readonly value: unknown
}

/** The same few list keys recur, too. */
const places = new Map<string, Place>()
const mostPlaces = 4_096

function placeOf(element: string): Place {
  const known = places.get(element)
  if (known !== undefined) return known
  const place = readPlace(element)
  if (element.length > longestKeptName) return place
  if (places.size >= mostPlaces) places.clear()
  places.set(element, place)
  return place
}

function readPlace(element: string): Place {
  const kind = element[0] ?? ''
  const isItem = kind === 'v' || kind === 'i'
  return {
    element,
    rank: ranks[kind] ?? 0,
    keys: kind === 'k' ? keysOf(element) : [],
    value: isItem ? parsedElement(element.slice(2)) : undefined,
  }
}

function comparePlaces(left: Place, right: Place): number {
  if (left.rank !== right.rank) return left.rank - right.rank
  if (left.rank === ranks.k) return compareKeys(left.keys, right.keys)
  if (left.value !== undefined) return compareScalars(left.value, right.value)
  return compareTexts(left.element, right.element)
}

function readValueElement(text: string): ReadElement {
  const parsed = parseOrUndefined(text)
  return parsed === undefined ? invalidElement : { outcome: 'element', element: valueElement(parsed) }
}

function readKeyElement(text: string): ReadElement {
  const parsed = parseOrUndefined(text)
  if (!isJsonObject(parsed)) return invalidElement
  return { outcome: 'element', element: keyElement(Object.entries(parsed).sort(byName)) }
}

function keysOf(element: string): readonly (readonly [string, unknown])[] {
  const parsed = parsedElement(element.slice(2))
  return isJsonObject(parsed) ? Object.entries(parsed).sort(byName) : []
}

function compareKeys(
  left: readonly (readonly [string, unknown])[],
  right: readonly (readonly [string, unknown])[],
): number {
  for (const [index, mine] of left.entries()) {
    const theirs = right[index]
    if (theirs === undefined) return 1
    const order = compareTexts(mine[0], theirs[0]) || compareScalars(mine[1], theirs[1])
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Numbers come before strings, strings before booleans, and booleans before everything else. */
function compareScalars(left: unknown, right: unknown): number {
  const byKind = scalarRank(left) - scalarRank(right)
  if (byKind !== 0) return byKind
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0
  return compareTexts(String(left), String(right))
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function scalarRank(value: unknown): number {
  if (isNumber(value)) return 0
  if (typeof value === 'string') return 1
  return typeof value === 'boolean' ? 2 : 3
}

function printScalar(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : value === null ? 'null' : goValue(value)
}

function byName(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return compareTexts(left[0], right[0])
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Texts that print unchanged. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/
const escaped = /[<>&\u2028\u2029]/g

/** Compact JSON, escaping the characters that Go escapes. */
function printEscaped(value: unknown): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`
  if (Number.isSafeInteger(value)) return String(value)
  return printJson(value).replace(escaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function parseOrUndefined(text: string): unknown {
  try {
    return parsedElement(text)
  } catch {
    return undefined
  }
}

const longNumber = /\d{16}/

/** Keys and set items may be integers that a double cannot hold. */
function parsedElement(text: string): unknown {
  return longNumber.test(text) ? parsePrecisely(text, true).value : JSON.parse(text)
}
