import type { YamlScalar } from './node.ts'

/**
 * The source offset of each UTF-16 unit of a scalar's text, plus one for its end. Undefined if the two cannot be
 * matched, so that the caller falls back to the whole scalar.
 */
export function scalarOffsets(source: string, scalar: YamlScalar): readonly number[] | undefined {
  const { start, end } = scalar.span
  switch (scalar.style) {
    case 'plain':
      return flowOffsets({ source, at: start, end, quote: '' }, scalar.text)
    case 'single':
      return flowOffsets({ source, at: start + 1, end: end - 1, quote: "'" }, scalar.text)
    case 'double':
      return flowOffsets({ source, at: start + 1, end: end - 1, quote: '"' }, scalar.text)
    case 'literal':
    case 'folded':
      return blockOffsets(source.slice(0, end), start, scalar)
  }
}

interface FlowCursor {
  readonly source: string
  readonly end: number
  readonly quote: '' | "'" | '"'
  at: number
}

const lineEnd = /[ \t]*\r?\n/y
const blank = /[ \t\r\n]*/y
const escapedLineEnd = /\\\r?\n[ \t]*/y
const escapedCharacter = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^\r\n])/y

/** A line break inside a plain or quoted scalar becomes a space; several breaks become one fewer. */
function flowOffsets(cursor: FlowCursor, text: string): readonly number[] | undefined {
  const offsets: number[] = []
  while (offsets.length < text.length) {
    const from = cursor.at
    const units = skipUnits(cursor, text, offsets.length)
    if (units === undefined || cursor.at > cursor.end || cursor.at === from) return undefined
    for (let unit = 0; unit < units; unit++) offsets.push(from)
  }
  offsets.push(Math.min(cursor.at, cursor.end))
  return offsets.length === text.length + 1 ? offsets : undefined
}

/** Steps over the source of the next units of the text, and returns how many units those are. */
function skipUnits(cursor: FlowCursor, text: string, index: number): number | undefined {
  const { source, at, quote } = cursor
  if (matchedLength(lineEnd, source, at) > 0) return skipFold(cursor)
  if (quote === '"' && source[at] === '\\') return skipEscape(cursor)
  if (source[at] !== text[index]) return undefined
  cursor.at += quote === "'" && source.startsWith("''", at) ? 2 : 1
  return 1
}

function skipFold(cursor: FlowCursor): number {
  const length = matchedLength(blank, cursor.source, cursor.at)
  const breaks = cursor.source.slice(cursor.at, cursor.at + length).split('\n').length - 1
  cursor.at += length
  return Math.max(1, breaks - 1)
}

function skipEscape(cursor: FlowCursor): number | undefined {
  const folded = matchedLength(escapedLineEnd, cursor.source, cursor.at)
  if (folded > 0) {
    cursor.at += folded
    return 0
  }
  const length = matchedLength(escapedCharacter, cursor.source, cursor.at)
  const astral = length === 10 && Number.parseInt(cursor.source.slice(cursor.at + 2, cursor.at + 10), 16) > 0xffff
  cursor.at += length
  return astral ? 2 : 1
}

function matchedLength(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0].length ?? 0
}

/** A cursor over the lines of a block scalar. Their indentation is not part of the text. */
interface BlockCursor {
  readonly source: string
  readonly indent: number
  at: number
}

function blockOffsets(source: string, start: number, scalar: YamlScalar): readonly number[] | undefined {
  const header = source.indexOf('\n', start)
  const indent = blockIndent(source, header + 1, scalar.text)
  if (header < 0 || indent === undefined) return scalar.text === '' ? [start] : undefined
  const cursor: BlockCursor = { source, indent, at: header + 1 }
  skipIndent(cursor)
  const offsets: number[] = []
  while (offsets.length < scalar.text.length) {
    if (!skipBlockUnit(cursor, scalar, offsets)) return undefined
  }
  offsets.push(Math.min(cursor.at, source.length))
  return offsets
}

/** How far the first line with content is indented beyond the indentation in the text. */
function blockIndent(source: string, from: number, text: string): number | undefined {
  const written = source.slice(from).split('\n').find(hasContent)
  const kept = text.split('\n').find(hasContent)
  return written === undefined || kept === undefined ? undefined : leadingSpaces(written) - leadingSpaces(kept)
}

function leadingSpaces(line: string): number {
  return line.length - line.replace(/^ +/, '').length
}

function hasContent(line: string): boolean {
  return line.trim() !== ''
}

function skipBlockUnit(cursor: BlockCursor, { style, text }: YamlScalar, offsets: number[]): boolean {
  const { source, at } = cursor
  const breakLength = source.startsWith('\r\n', at) ? 2 : 1
  if (source[at + breakLength - 1] === '\n') {
    if (style === 'literal') return skipBreak(cursor, breakLength, text, offsets)
    return skipFoldedBreaks(cursor, text, offsets)
  }
  if (at >= source.length) return pushRest(offsets, text, at)
  if (source[at] !== text[offsets.length]) return false
  offsets.push(at)
  cursor.at++
  return true
}

function skipBreak(cursor: BlockCursor, length: number, text: string, offsets: number[]): boolean {
  if (text[offsets.length] !== '\n') return false
  offsets.push(cursor.at)
  cursor.at += length
  skipIndent(cursor)
  return true
}

/** Skips all breaks up to the next line with content. The text shows them as one space or as fewer breaks. */
function skipFoldedBreaks(cursor: BlockCursor, text: string, offsets: number[]): boolean {
  const from = cursor.at
  while (/[\r\n]/.test(cursor.source[cursor.at] ?? '')) {
    cursor.at += cursor.source.startsWith('\r\n', cursor.at) ? 2 : 1
    skipIndent(cursor)
  }
  if (text[offsets.length] === ' ') offsets.push(from)
  else if (text[offsets.length] !== '\n') return false
  else while (text[offsets.length] === '\n') offsets.push(from)
  return true
}

/** Adds breaks that end the text but are not in the source. */
function pushRest(offsets: number[], text: string, at: number): boolean {
  if (text[offsets.length] !== '\n') return false
  offsets.push(at)
  return true
}

function skipIndent(cursor: BlockCursor): void {
  for (let column = 0; column < cursor.indent && cursor.source[cursor.at] === ' '; column++) cursor.at++
}
