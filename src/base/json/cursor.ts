import { JsonSyntaxError } from './error.ts'
import type { PathElement } from './path.ts'

/** The position of the precise parser, and what it has found so far. */
export interface Cursor {
  readonly text: string
  at: number
  readonly path: PathElement[]
  readonly duplicates: string[]
  /** Whether 64-bit integers that a double cannot hold are kept. Otherwise they are refused. */
  readonly keepsLarge: boolean
  hasLarge: boolean
  /** Whether a repeated member is merged into the former one, as Go decodes it into a struct. Absent: it replaces it. */
  readonly merges?: boolean
  /** Called for each member. */
  readonly visit?: (path: readonly PathElement[], isRepeated: boolean) => void
  /** Called for each number, with its text. */
  readonly onNumber?: (path: readonly PathElement[], text: string) => void
}

const escapes: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x27, "\\'"],
  [0x5c, '\\\\'],
])

export function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    cursor.at++
  }
}

/** The error for the character under the cursor. `where` completes Go's sentence, for example `after array element`. */
export function unexpected(cursor: Cursor, where: string): JsonSyntaxError {
  if (cursor.at >= cursor.text.length) return new JsonSyntaxError('unexpected end of JSON input')
  return new JsonSyntaxError(`invalid character ${quotedByte(cursor.text.charCodeAt(cursor.at))} ${where}`)
}

/** Go reads bytes, so it shows only the first byte of a character outside ASCII. */
function quotedByte(code: number): string {
  const escaped = escapes.get(code)
  if (escaped !== undefined) return `'${escaped}'`
  if (code < 0x20 || code === 0x7f) return `'\\x${code.toString(16).padStart(2, '0')}'`
  return `'${String.fromCharCode(firstUtf8Byte(code))}'`
}

function firstUtf8Byte(code: number): number {
  if (code < 0x80) return code
  if (code < 0x800) return 0xc0 | (code >> 6)
  return code >= 0xd800 && code < 0xe000 ? 0xf0 : 0xe0 | (code >> 12)
}
