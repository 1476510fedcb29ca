import { characterCount } from '../value.ts'

/** What is wrong with an expression, and where. */
export interface SourceError {
  readonly at: number
  readonly message: string
}

/** How many are reported; the rest is counted. */
const mostErrors = 10
const longestMessage = 1000
/** Of a longer line, the surroundings of the position are shown. */
const longestSnippet = 200

/** Errors as the reference implementation prints them, with the line and a mark below it. */
export function printSourceErrors(text: string, errors: readonly SourceError[]): string {
  const sorted = [...errors].sort((left, right) => left.at - right.at)
  const shown = sorted.slice(0, mostErrors).map((error) => printed(text, error))
  const rest = errors.length - shown.length
  return [...shown, ...(rest > 0 ? [`${rest} more errors were truncated`] : [])].join('\n')
}

function printed(text: string, { at, message }: SourceError): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const column = characterCount(text.slice(lineStart, at)) + 1
  const found = `ERROR: <input>:${lineNumber(text, lineStart)}:${column}: ${message.slice(0, longestMessage)}`
  const newline = text.indexOf('\n', lineStart)
  const lineEnd = newline === -1 ? text.length : newline
  const isLong = lineEnd - lineStart > longestSnippet
  const start = isLong ? Math.max(lineStart, at - longestSnippet / 2) : lineStart
  const snippet = text.slice(start, isLong ? Math.min(lineEnd, start + longestSnippet) : lineEnd)
  const dots = [...text.slice(start, at)].map((character) => (isWide(character) ? '\uff0e' : '.')).join('')
  const marked = text.codePointAt(at)
  const mark = marked !== undefined && isWide(String.fromCodePoint(marked)) ? '\uff3e' : '^'
  return `${found}\n | ${snippet.replaceAll('\t', ' ')}\n | ${dots}${mark}`
}

function lineNumber(text: string, lineStart: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < lineStart; at = text.indexOf('\n', at + 1)) line++
  return line
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f
}
