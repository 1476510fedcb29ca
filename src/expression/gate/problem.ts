import type { ExpressionProblem } from '../contract.ts'

const lineEnd = /\r\n|[\n\r\u2028\u2029]/g

export function problemAt(source: string, offset: number, message: string): ExpressionProblem {
  let line = 1
  let lineStart = 0
  for (const match of source.slice(0, offset).matchAll(lineEnd)) {
    line++
    lineStart = match.index + match[0].length
  }
  return { message, offset, line, column: offset - lineStart + 1 }
}
