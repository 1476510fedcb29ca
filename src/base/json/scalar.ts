import { type Cursor, unexpected } from './cursor.ts'
import { JsonSyntaxError } from './error.ts'
import { largeInteger, largeIntegerOf } from './large-integer.ts'
import { printPath } from './path.ts'

const words: ReadonlyMap<string, { readonly text: string; readonly value: boolean | null }> = new Map([
  ['t', { text: 'true', value: true }],
  ['f', { text: 'false', value: false }],
  ['n', { text: 'null', value: null }],
])

/** A string, a number, true, false or null. */
export function readJsonScalar(cursor: Cursor): string | number | bigint | boolean | null {
  const first = cursor.text.charAt(cursor.at)
  if (first === '"') return readString(cursor)
  const word = words.get(first)
  if (word !== undefined) return readWord(cursor, word.text, word.value)
  if (first === '-' || isDigit(cursor)) return readNumber(cursor)
  throw unexpected(cursor, 'looking for beginning of value')
}

export function readString(cursor: Cursor): string {
  const start = cursor.at++
  while (cursor.at < cursor.text.length) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code === 0x22) {
      cursor.at++
      return String(JSON.parse(cursor.text.slice(start, cursor.at)))
    }
    if (code < 0x20) throw unexpected(cursor, 'in string literal')
    cursor.at++
    if (code === 0x5c) checkEscape(cursor)
  }
  throw unexpected(cursor, '')
}

function checkEscape(cursor: Cursor): void {
  const code = cursor.text.charAt(cursor.at)
  if (code === '' || !'"\\/bfnrtu'.includes(code)) throw unexpected(cursor, 'in string escape code')
  cursor.at++
  if (code !== 'u') return
  for (let digit = 0; digit < 4; digit++) {
    if (!/^[0-9a-fA-F]$/.test(cursor.text.charAt(cursor.at))) {
      throw unexpected(cursor, 'in \\u hexadecimal character escape')
    }
    cursor.at++
  }
}

function readWord(cursor: Cursor, word: string, value: boolean | null): boolean | null {
  for (const letter of word) {
    if (cursor.text.charAt(cursor.at) !== letter) {
      throw unexpected(cursor, `in literal ${word} (expecting '${letter}')`)
    }
    cursor.at++
  }
  return value
}

function readNumber(cursor: Cursor): number | bigint {
  const start = cursor.at
  let whole = true
  if (cursor.text.charAt(cursor.at) === '-') cursor.at++
  if (cursor.text.charAt(cursor.at) === '0') cursor.at++
  else readDigits(cursor, 'in numeric literal')
  if (cursor.text.charAt(cursor.at) === '.') {
    whole = false
    cursor.at++
    readDigits(cursor, 'after decimal point in numeric literal')
  }
  if (/^[eE]$/.test(cursor.text.charAt(cursor.at))) {
    whole = false
    cursor.at++
    if (/^[+-]$/.test(cursor.text.charAt(cursor.at))) cursor.at++
    readDigits(cursor, 'in exponent of numeric literal')
  }
  const text = cursor.text.slice(start, cursor.at)
  cursor.onNumber?.(cursor.path, text)
  const large = cursor.keepsLarge ? (whole ? largeInteger(text) : largeIntegerOf(Number(text))) : undefined
  if (large === undefined) return exactNumber(text, whole, cursor)
  cursor.hasLarge = true
  return large
}

function readDigits(cursor: Cursor, where: string): void {
  if (!isDigit(cursor)) throw unexpected(cursor, where)
  while (isDigit(cursor)) cursor.at++
}

function isDigit(cursor: Cursor): boolean {
  const code = cursor.text.charCodeAt(cursor.at)
  return code >= 0x30 && code <= 0x39
}

function exactNumber(text: string, whole: boolean, cursor: Cursor): number {
  const value = Number(text)
  if (whole ? isKept(text, value) : Number.isFinite(value)) return value
  throw inexactNumber(text, whole, cursor.path, cursor.keepsLarge)
}

/** Whether an integer leaves the server with the same digits with which it arrived. */
export function isKept(text: string, value: number): boolean {
  return Number.isSafeInteger(value) || String(value) === text
}

/** The error for a number that would change on its way through the server. It says where the number is. */
export function inexactNumber(text: string, whole: boolean, path: Cursor['path'], keepsLarge = false): JsonSyntaxError {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  const where = path.length === 0 ? '' : ` at ${printPath(path)}`
  const largest = keepsLarge ? '9223372036854775807' : '9007199254740991'
  const limit = whole ? `only integers up to ${largest} are kept exactly` : 'it is out of range'
  return new JsonSyntaxError(`the number ${shown}${where} cannot be represented: ${limit}`)
}
