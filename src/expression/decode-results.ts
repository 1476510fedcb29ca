import type { Json } from '../api/object.ts'
import type { EvaluationFailure, EvaluationLimits, EvaluationResult } from './contract.ts'
import type { FailureText } from './protocol.ts'

/** Reads what a sandbox sent. It is written by our own code in there, so its shape can be relied on. */
export function decodeResults(text: string, limits: EvaluationLimits): readonly EvaluationResult[] {
  const results: readonly (readonly Json[] | FailureText)[] = JSON.parse(text)
  return results.map((result) => (isFailure(result) ? failure(result, limits) : outcome(result)))
}

function isFailure(result: readonly Json[] | FailureText): result is FailureText {
  return !Array.isArray(result)
}

function outcome([value]: readonly Json[]): EvaluationResult {
  return value === undefined ? { state: 'removed' } : { state: 'value', value }
}

function failure(text: FailureText, limits: EvaluationLimits): EvaluationFailure {
  const position = positionOf(text)
  const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column})`
  return { state: 'failed', kind: text.kind, message: `${messageOf(text, limits)}${place}`, ...position }
}

function messageOf({ kind, message }: FailureText, limits: EvaluationLimits): string {
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

function positionOf({ line, column }: FailureText): { readonly line: number; readonly column: number } | undefined {
  if (line === undefined || column === undefined || line < 2) return undefined
  return { line: line - 1, column }
}
