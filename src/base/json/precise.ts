import { type Cursor, skipSpace, unexpected } from './cursor.ts'
import { maxDepth, maxDuplicates, tooDeep } from './limits.ts'
import { isJsonObject, setMember } from './member.ts'
import { type PathElement, pathPrinter, printPath } from './path.ts'
import { readJsonScalar, readString } from './scalar.ts'

export interface ParsedJson {
  readonly value: unknown
  /** Paths such as `spec.ttl` that occur more than once; the last occurrence wins. */
  readonly duplicateFields: readonly string[]
  /** How Go reports them when the text is YAML, such as `line 7: key "a" already set in map`. */
  readonly repeatedKeys?: readonly string[]
  /** Whether any integer is a bigint. */
  readonly hasLarge?: boolean
  /** Whether any number in the JSON is written with a fraction or an exponent. */
  readonly hasFraction?: boolean
}

/** A number as it stands in the text. */
export interface WrittenNumber {
  readonly path: readonly PathElement[]
  readonly text: string
}

/** Integers that are written with a fraction or an exponent, in the order of the text, which must be JSON. */
export function fractionsIn(text: string): readonly WrittenNumber[] {
  const fractions: WrittenNumber[] = []
  const onNumber = (path: readonly PathElement[], written: string) => {
    if (/[.eE]/.test(written) && Number.isInteger(Number(written))) fractions.push({ path: [...path], text: written })
  }
  readValue({ text, at: 0, path: [], duplicates: [], keepsLarge: true, hasLarge: false, onNumber }, 0)
  return fractions
}

/** The printed path of each member in the order of the text, and whether it occurred before. */
export function membersInOrder(text: string): readonly { readonly path: string; readonly isRepeated: boolean }[] {
  const members: { path: string; isRepeated: boolean }[] = []
  const print = pathPrinter()
  const visit = (path: readonly PathElement[], isRepeated: boolean) => members.push({ path: print(path), isRepeated })
  readValue({ text, at: 0, path: [], duplicates: [], keepsLarge: true, hasLarge: false, visit }, 0)
  return members
}

/**
 * Slower than JSON.parse, but it knows its position: it names duplicates, numbers that it cannot keep, and syntax
 * errors.
 */
export function parsePrecisely(text: string, keepsLarge = false): ParsedJson {
  return parsedWith({ text, at: 0, path: [], duplicates: [], keepsLarge, hasLarge: false })
}

/** Like `parsePrecisely`, but what a repeated member says is merged into what it said before. */
export function parseMerged(text: string, keepsLarge: boolean): ParsedJson {
  return parsedWith({ text, at: 0, path: [], duplicates: [], keepsLarge, hasLarge: false, merges: true })
}

function parsedWith(cursor: Cursor): ParsedJson {
  const value = readValue(cursor, 0)
  skipSpace(cursor)
  if (cursor.at < cursor.text.length) throw unexpected(cursor, 'after top-level value')
  return { value, duplicateFields: cursor.duplicates, ...(cursor.hasLarge && { hasLarge: true }) }
}

function readValue(cursor: Cursor, depth: number): unknown {
  skipSpace(cursor)
  const first = cursor.text.charAt(cursor.at)
  if (first !== '{' && first !== '[') return readJsonScalar(cursor)
  if (depth >= maxDepth) throw tooDeep()
  cursor.at++
  return first === '{' ? readObject(cursor, depth + 1) : readArray(cursor, depth + 1)
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  skipSpace(cursor)
  if (cursor.text.charAt(cursor.at) === '}') {
    cursor.at++
    return object
  }
  do readMember(cursor, object, depth)
  while (another(cursor, '}', 'after object key:value pair'))
  return object
}

function readMember(cursor: Cursor, object: Record<string, unknown>, depth: number): void {
  skipSpace(cursor)
  if (cursor.text.charAt(cursor.at) !== '"') throw unexpected(cursor, 'looking for beginning of object key string')
  const key = readString(cursor)
  skipSpace(cursor)
  if (cursor.text.charAt(cursor.at) !== ':') throw unexpected(cursor, 'after object key')
  cursor.at++
  cursor.path.push(key)
  const isRepeated = Object.hasOwn(object, key)
  cursor.visit?.(cursor.path, isRepeated)
  if (isRepeated && cursor.duplicates.length < maxDuplicates) cursor.duplicates.push(printPath(cursor.path))
  const value = readValue(cursor, depth)
  setMember(object, key, isRepeated && cursor.merges ? mergedInto(object[key], value) : value)
  cursor.path.pop()
}

/** Members that only the former has stay, and so does what items at the same place have; the later list is as long. */
function mergedInto(former: unknown, later: unknown): unknown {
  if (Array.isArray(former) && Array.isArray(later)) {
    return later.map((item, at) => (at < former.length ? mergedInto(former[at], item) : item))
  }
  if (!isJsonObject(former) || !isJsonObject(later)) return later
  for (const [key, value] of Object.entries(later)) {
    setMember(former, key, Object.hasOwn(former, key) ? mergedInto(former[key], value) : value)
  }
  return former
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const array: unknown[] = []
  skipSpace(cursor)
  if (cursor.text.charAt(cursor.at) === ']') {
    cursor.at++
    return array
  }
  do {
    cursor.path.push(array.length)
    array.push(readValue(cursor, depth))
    cursor.path.pop()
  } while (another(cursor, ']', 'after array element'))
  return array
}

/** Steps over a comma or the closing bracket. */
function another(cursor: Cursor, close: string, where: string): boolean {
  skipSpace(cursor)
  const next = cursor.text.charAt(cursor.at)
  if (next !== ',' && next !== close) throw unexpected(cursor, where)
  cursor.at++
  return next === ','
}
