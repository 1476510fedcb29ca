import { printJson } from '../../base/json/print.ts'
import { shortened } from './shortened.ts'

/** Values as Go prints them. Clients of Kubernetes see these forms in error messages, so ours are the same. */

const plain = /^[ !#-[\]-~]*$/
const needsEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** `%q` of a string. */
export function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${text.replace(needsEscape, escaped)}"`
}

/** `%#v` for the values that field errors carry; plain objects, which have no single form in Go, as compact JSON. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return '"null"'
  if (typeof value === 'string') return quoted(shortened(value))
  if (isTexts(value)) return shortened(goStrings(value))
  return shortened(printJson(value))
}

/** `%#v` of a list of strings. */
export function goStrings(values: readonly string[]): string {
  return `[]string{${values.map((value) => quoted(shortened(value))).join(', ')}}`
}

/** `%#v` of a map of strings, sorted by key as in Go. */
export function goStringMap(map: Readonly<Record<string, string>> | undefined): string {
  if (map === undefined) return 'map[string]string(nil)'
  const entries = Object.keys(map)
    .sort()
    .map((key) => `${quoted(shortened(key))}:${quoted(shortened(map[key] ?? ''))}`)
  return shortened(`map[string]string{${entries.join(', ')}}`)
}

/** `%#v` of an IntOrString. */
export function goIntOrString(value: number | string): string {
  return typeof value === 'number'
    ? `intstr.IntOrString{Type:0, IntVal:${value}, StrVal:""}`
    : `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quoted(shortened(value))}}`
}

/** A timestamp as `time.Time` prints itself, for example `2001-01-01 00:00:00 +0000 UTC`. */
export function goTime(timestamp: string): string {
  const epochMs = Date.parse(timestamp)
  if (Number.isNaN(epochMs)) return quoted(timestamp)
  const [day = '', clock = ''] = new Date(epochMs).toISOString().split('T')
  return `${day} ${clock.slice(0, 8)} +0000 UTC`
}

/** `%#U` of a character that cannot be printed, for example `U+000A`. */
export function codePointName(codePoint: number): string {
  return `U+${hex(codePoint, 4).toUpperCase()}`
}

export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)
}

function escaped(character: string): string {
  const short = shortEscapes[character]
  if (short !== undefined) return short
  const codePoint = character.codePointAt(0) ?? 0
  if (codePoint < 0x80) return `\\x${hex(codePoint, 2)}`
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return '\ufffd'
  return codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`
}

function hex(number: number, width: number): string {
  return number.toString(16).padStart(width, '0')
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
