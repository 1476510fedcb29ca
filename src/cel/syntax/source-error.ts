/** What is wrong with an expression, and where. */
export interface SourceError {
  readonly at: number
  readonly message: string
}

/** How many are told; the rest is counted. */
const mostErrors = 100
const longestSnippet = 16_384

/** Errors as the reference implementation prints them, with the line and a mark below it. */
export function printSourceErrors(text: string, errors: readonly SourceError[]): string {
  const sorted = [...errors].sort((left, right) => left.at - right.at)
  const shown = sorted.slice(0, mostErrors).map((error) => printed(text, error))
  const rest = errors.length - shown.length
  return [...shown, ...(rest > 0 ? [`${rest} more errors were truncated`] : [])].join('\n')
}

function printed(text: string, { at, message }: SourceError): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const line = text.slice(0, lineStart).split('\n').length
  const column = [...text.slice(lineStart, at)]
  const found = `ERROR: <input>:${line}:${column.length + 1}: ${message}`
  const lineEnd = text.indexOf('\n', lineStart)
  const snippet = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  if (snippet.length > longestSnippet) return found
  const dots = column.map((character) => (isWide(character) ? '\uff0e' : '.')).join('')
  const marked = text.codePointAt(at)
  const mark = marked !== undefined && isWide(String.fromCodePoint(marked)) ? '\uff3e' : '^'
  return `${found}\n | ${snippet.replaceAll('\t', ' ')}\n | ${dots}${mark}`
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f
}
