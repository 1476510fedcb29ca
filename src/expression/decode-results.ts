import type { EvaluationFailure, EvaluationLimits, EvaluationResult } from './contract.ts'
import type { EvaluationFailureText, ResultText } from './protocol.ts'

/** Reads a sandbox's answer. Our own code inside writes it, so its shape can be relied on. */
export function decodeResults(text: string, limits: EvaluationLimits): readonly EvaluationResult[] {
  const results: readonly ResultText[] = JSON.parse(text)
  return results.map((result) => {
    if (result === null) return { state: 'removed' }
    if (typeof result !== 'object') return { state: 'value', value: result }
    return 'kind' in result ? failure(result, limits) : { state: 'value', value: result[0] }
  })
}

function failure(text: EvaluationFailureText, limits: EvaluationLimits): EvaluationFailure {
  const position = positionOf(text)
  const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column})`
  return { state: 'failed', kind: text.kind, message: `${messageOf(text, limits)}${place}`, ...position }
}

function messageOf({ kind, message }: EvaluationFailureText, limits: EvaluationLimits): string {
  switch (kind) {
    case 'timeout':
      return `the expression did not finish within ${limits.deadlineMs} ms`
    case 'memory':
      return `the expression needs more than ${limits.memoryBytes / (1024 * 1024)} MiB of memory`
    case 'crashed':
      return 'the expression broke the sandbox'
    default:
      return message ?? 'the expression failed'
  }
}

function positionOf({
  line,
  column,
}: EvaluationFailureText): { readonly line: number; readonly column: number } | undefined {
  if (line === undefined || column === undefined || line < 2) return undefined
  return { line: line - 1, column }
}
