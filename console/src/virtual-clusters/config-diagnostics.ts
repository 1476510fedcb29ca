import type { Diagnostic } from '@codemirror/lint'
import type { ConfigProblem } from './config-review.ts'

/** Converts problems with lines and columns to the editor's marks. */
export function diagnosticsOf(text: string, problems: readonly ConfigProblem[]): readonly Diagnostic[] {
  const starts = lineStarts(text)
  return problems.map(({ severity, line, column, length, message, suggestion }) => {
    const from = Math.min((starts[line - 1] ?? 0) + column - 1, text.length)
    const to = Math.min(from + Math.max(length, 1), text.length)
    return { from, to, severity, message: suggestion === undefined ? message : `${message}\n${suggestion}` }
  })
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
