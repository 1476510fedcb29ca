import type { ParsedPath, PatchPathElement, PathProblem } from './path.ts'

const maxLength = 4096
const maxElements = 100
const maxIndex = 2 ** 32 - 2

const wildcard: PatchPathElement = { type: 'wildcard' }

interface Cursor {
  readonly text: string
  /** Trailing blanks after this position do not count. */
  readonly end: number
  at: number
}

/** Stops the parser at the first problem; converted to data before it leaves this file. */
class PathSyntaxError extends Error {
  readonly problem: PathProblem

  constructor(offset: number, message: string) {
    super(message)
    this.problem = { offset, message }
  }
}

export function parsePath(text: string): ParsedPath {
  try {
    return { ok: true, path: readPath(text) }
  } catch (error) {
    if (error instanceof PathSyntaxError) return { ok: false, problem: error.problem }
    throw error
  }
}

function readPath(text: string): readonly PatchPathElement[] {
  if (text.length > maxLength) throw new PathSyntaxError(maxLength, `a path has at most ${maxLength} characters`)
  const cursor: Cursor = { text, end: text.trimEnd().length, at: text.length - text.trimStart().length }
  if (cursor.at >= cursor.end) throw new PathSyntaxError(0, 'the path is empty, expected a field such as spec.ports')
  const elements = skipRoot(cursor) ? [] : [readFirst(cursor)]
  while (cursor.at < cursor.end) {
    if (elements.length === maxElements) {
      throw new PathSyntaxError(cursor.at, `a path has at most ${maxElements} elements`)
    }
    elements.push(readNext(cursor))
  }
  return elements
}

/** `$.` and `$[` mean the object itself; a member may be named `$ref`. */
function skipRoot(cursor: Cursor): boolean {
  if (cursor.text[cursor.at] !== '$') return false
  const next = cursor.at + 1
  if (next >= cursor.end) throw new PathSyntaxError(next, 'expected a field after $, such as $.spec')
  if (cursor.text[next] !== '.' && cursor.text[next] !== '[') return false
  cursor.at = next
  return true
}

function readFirst(cursor: Cursor): PatchPathElement {
  if (cursor.text[cursor.at] === '.') throw new PathSyntaxError(cursor.at, 'a path does not start with a dot')
  return cursor.text[cursor.at] === '[' ? readBracket(cursor) : readName(cursor)
}

function readNext(cursor: Cursor): PatchPathElement {
  if (cursor.text[cursor.at] === '[') return readBracket(cursor)
  if (cursor.text[cursor.at] !== '.') throw new PathSyntaxError(cursor.at, 'expected . or [ or the end of the path')
  cursor.at++
  return readName(cursor)
}

function readName(cursor: Cursor): PatchPathElement {
  const quote = quoteAt(cursor)
  if (quote !== undefined) return { type: 'member', name: readQuoted(cursor, quote) }
  const start = cursor.at
  while (cursor.at < cursor.end && cursor.text[cursor.at] !== '.' && cursor.text[cursor.at] !== '[') cursor.at++
  if (start === cursor.at) throw new PathSyntaxError(start, 'expected a name or * after the dot')
  return unquoted(cursor, start, cursor.at)
}

function readBracket(cursor: Cursor): PatchPathElement {
  const open = cursor.at
  cursor.at++
  skipBlanks(cursor)
  const quote = quoteAt(cursor)
  const element: PatchPathElement =
    quote === undefined ? readUnquotedBracket(cursor, open) : { type: 'member', name: readQuoted(cursor, quote) }
  skipBlanks(cursor)
  if (cursor.at >= cursor.end) throw new PathSyntaxError(cursor.at, `expected ] for the [ at position ${open + 1}`)
  if (cursor.text[cursor.at] !== ']') throw new PathSyntaxError(cursor.at, 'expected ] after the quoted name')
  cursor.at++
  return element
}

function readUnquotedBracket(cursor: Cursor, open: number): PatchPathElement {
  const start = cursor.at
  const close = cursor.text.indexOf(']', start)
  if (close < 0 || close >= cursor.end) {
    throw new PathSyntaxError(cursor.end, `expected ] for the [ at position ${open + 1}`)
  }
  const end = start + cursor.text.slice(start, close).trimEnd().length
  if (start === end) throw new PathSyntaxError(start, 'expected an index, a name or * between [ and ]')
  cursor.at = close
  return unquoted(cursor, start, end)
}

/** A name without quotes is a wildcard, an index, or a name that cannot mean anything else. */
function unquoted(cursor: Cursor, start: number, end: number): PatchPathElement {
  const name = cursor.text.slice(start, end)
  if (name === '*') return wildcard
  if (/^(0|[1-9]\d*)$/.test(name) && Number(name) <= maxIndex) return { type: 'index', index: Number(name) }
  const doubtful = name.search(/[\s*"'[\]\\]/)
  if (doubtful >= 0) throw new PathSyntaxError(start + doubtful, doubtAbout(name[doubtful] ?? '', name))
  if (/^-\d+$/.test(name)) {
    throw new PathSyntaxError(start, `an index is 0 or greater; a field of this name is written ["${name}"]`)
  }
  return { type: 'member', name }
}

function doubtAbout(character: string, name: string): string {
  if (character === '*') return '* stands alone, as in .* or [*]; a name that contains it is written in quotes'
  if (character === ']') return 'there is no [ before this ]'
  if (character === '[') return 'expected ] before the next ['
  const shown = `["${name.replace(/[\\"]/g, '\\$&')}"]`
  return `a name with ${character.trim() === '' ? 'a blank' : character} is written in brackets and quotes: ${shown}`
}

function readQuoted(cursor: Cursor, quote: string): string {
  const open = cursor.at
  let name = ''
  cursor.at++
  while (cursor.at < cursor.end && cursor.text[cursor.at] !== quote) {
    if (cursor.text[cursor.at] === '\\') skipEscape(cursor)
    name += cursor.text[cursor.at] ?? ''
    cursor.at++
  }
  if (cursor.at >= cursor.end) {
    throw new PathSyntaxError(cursor.end, `expected ${quote} for the ${quote} at position ${open + 1}`)
  }
  cursor.at++
  return name
}

function skipEscape(cursor: Cursor): void {
  const escaped = cursor.text[cursor.at + 1]
  if (escaped !== '\\' && escaped !== '"' && escaped !== "'") {
    throw new PathSyntaxError(cursor.at, `expected \\\\, \\" or \\' here`)
  }
  cursor.at++
}

function quoteAt(cursor: Cursor): string | undefined {
  const character = cursor.text[cursor.at]
  return cursor.at < cursor.end && (character === '"' || character === "'") ? character : undefined
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.at < cursor.end && cursor.text[cursor.at]?.trim() === '') cursor.at++
}
