import type { CelToken } from './token.ts'

const operands = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER"
const anyOperand = `{'[', '{', '(', '.', '-', '!', ${operands}}`
const starts = new Set(['[', '{', '(', '.', '-', '!'])
const closers = new Set([')', ']', '}', ',', ':'])

/**
 * The error at a token where something else is expected, in the words of Kubernetes: an extraneous, a missing or a
 * mismatched token. `expected` is a symbol, `IDENTIFIER`, `expression` or `<EOF>`.
 */
export function unexpectedToken(tokens: readonly CelToken[], at: number, expected: string): string {
  const found = tokens[at]
  const text = found?.kind === 'symbol' || found?.kind === 'name' || found?.kind === 'literal' ? found.text : '<EOF>'
  if (expected === 'IDENTIFIER' && text === '<EOF>' && tokens[at - 1]?.text === '.') {
    return "Syntax error: no viable alternative at input '.'"
  }
  const wanted = wantedAt(tokens, at, expected)
  if (fits(tokens[at + 1], expected)) return `Syntax error: extraneous input '${text}' expecting ${wanted}`
  if (isMissing(found, expected, wanted)) return `Syntax error: missing ${wanted} at '${text}'`
  return `Syntax error: mismatched input '${text}' expecting ${wanted}`
}

function fits(token: CelToken | undefined, expected: string): boolean {
  if (token === undefined) return false
  if (expected === '<EOF>') return token.kind === 'end'
  if (expected === 'expression') return startsExpression(token)
  if (expected === 'IDENTIFIER') return token.kind === 'name'
  return token.kind === 'symbol' && token.text === expected
}

function startsExpression({ kind, text }: CelToken): boolean {
  return kind === 'name' || kind === 'literal' || (kind === 'symbol' && starts.has(text))
}

/** Whether everything would be valid with the expected symbol before the token. */
function isMissing(found: CelToken | undefined, expected: string, wanted: string): boolean {
  if (found === undefined || wanted !== `'${expected}'`) return false
  if (expected === ':') return startsExpression(found)
  return closers.has(expected) && (found.kind === 'end' || (found.kind === 'symbol' && closers.has(found.text)))
}

function wantedAt(tokens: readonly CelToken[], at: number, expected: string): string {
  if (expected === '<EOF>' || expected === 'IDENTIFIER') return expected
  if (expected !== 'expression') return `'${expected}'`
  const [before, opened] = [tokens[at - 2], tokens[at - 1]]
  const open = opened?.kind === 'symbol' ? opened.text : ''
  if (open === '(' && before?.kind === 'name') return `{'[', '{', '(', ')', '.', '-', '!', ${operands}}`
  if (open === '{') return `{'[', '{', '}', '(', '.', ',', '-', '!', '?', ${operands}}`
  if (open !== '[') return anyOperand
  return isValueEnd(before)
    ? `{'[', '{', '(', '.', '-', '!', '?', ${operands}}`
    : `{'[', ']', '{', '(', '.', ',', '-', '!', '?', ${operands}}`
}

function isValueEnd(token: CelToken | undefined): boolean {
  if (token === undefined || token.kind === 'end') return false
  return token.kind !== 'symbol' || token.text === ')' || token.text === ']' || token.text === '}'
}
