/** Lines of a text. Lines and columns count from 1, columns in UTF-16 units, as editors do. */
export interface Lines {
  readonly text: string
  readonly starts: readonly number[]
}

export interface LinePosition {
  readonly line: number
  readonly column: number
}

export function linesOf(text: string): Lines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return { text, starts }
}

export function linePosition({ text, starts }: Lines, offset: number): LinePosition {
  const within = Math.min(Math.max(offset, 0), text.length)
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= within) low = middle
    else high = middle
  }
  return { line: low + 1, column: within - (starts[low] ?? 0) + 1 }
}

/** Without its line break; empty for a line that does not exist. */
export function lineText({ text, starts }: Lines, line: number): string {
  const start = starts[line - 1]
  if (start === undefined) return ''
  const next = starts[line]
  const end = next === undefined ? text.length : next - 1
  return text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end)
}
