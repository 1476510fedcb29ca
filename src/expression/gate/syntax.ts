import { createRequire } from 'node:module'
import type { Expression, Options, Token } from 'acorn'
import type { ExpressionProblem } from '../contract.ts'
import { problemAt } from './problem.ts'

export type Parsed =
  | { readonly ok: true; readonly tree: Expression; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly problem: ExpressionProblem }

/** A generous multiple of what anyone writes into a configuration by hand. */
const maxLength = 64 * 1024

/** Words that can only begin a statement. */
const statementWord =
  /^(?:break|case|const|continue|debugger|do|export|for|if|import|let|return|switch|throw|try|var|while|with)\b/

/**
 * Parses exactly one expression in strict mode, as it will run. ES2021 contains ES6, optional chaining, nullish
 * coalescing and object spread, which is too useful to refuse; its other additions are refused by name elsewhere.
 */
export function parseExpression(source: string): Parsed {
  if (source.length > maxLength) return refused(source, 0, `the expression is longer than ${maxLength} characters`)
  if (source.trim() === '') return refused(source, 0, 'the expression is empty')
  const tokens: Token[] = []
  const comments: Comment[] = []
  try {
    const tree = loadParser().parseExpressionAt(source, 0, options(tokens, comments))
    const rest = firstCodeAfter(source, tree.end, comments)
    return rest === undefined ? { ok: true, tree, tokens } : refused(source, rest, whyTooMuch(source, rest))
  } catch (error) {
    return refused(source, ...syntaxError(source, error))
  }
}

interface Comment {
  readonly start: number
  readonly end: number
}

function options(tokens: Token[], comments: Comment[]): Options {
  return {
    ecmaVersion: 2021,
    sourceType: 'module',
    preserveParens: true,
    onToken: tokens,
    onComment: (_block, _text, start, end) => comments.push({ start, end }),
  }
}

/** The position of the first code after the expression, ignoring blanks and comments. */
function firstCodeAfter(source: string, end: number, comments: readonly Comment[]): number | undefined {
  let at = end
  for (;;) {
    const rest = source.slice(at)
    at = source.length - rest.trimStart().length
    const comment = comments.find(({ start }) => start === at)
    if (comment === undefined) return at === source.length ? undefined : at
    at = comment.end
  }
}

function whyTooMuch(source: string, at: number): string {
  if (source[at] === ';') return 'an expression has no semicolon; for several steps write (() => { …; return … })()'
  return `one expression ends before ${quoted(source, at)}, and more follows`
}

function syntaxError(source: string, error: unknown): readonly [offset: number, message: string] {
  if (error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') {
    return statement(source) ?? [error.pos, explained(source, error.pos, error.message)]
  }
  if (error instanceof RangeError) return [0, 'the expression is nested too deeply']
  throw error
}

function statement(source: string): readonly [offset: number, message: string] | undefined {
  const start = source.length - source.trimStart().length
  const word = statementWord.exec(source.slice(start, start + 16))
  if (word === null) return undefined
  return [
    start,
    `${word[0]} begins a statement where an expression is needed; for statements write (() => { …; return … })()`,
  ]
}

function explained(source: string, at: number, message: string): string {
  if (!message.startsWith('Unexpected token')) return withoutPosition(message)
  return at >= source.length ? 'the expression ends too early' : `${quoted(source, at)} was not expected here`
}

/** Acorn appends ` (line:column)`, and begins sentences with capitals. */
function withoutPosition(message: string): string {
  const text = message.replace(/ \(\d+:\d+\)$/, '')
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function quoted(source: string, at: number): string {
  const word = /^[\w$]+|^[^\s]/u.exec(source.slice(at, at + 40))
  return JSON.stringify(word?.[0] ?? '')
}

function refused(source: string, offset: number, message: string): Parsed {
  return { ok: false, problem: problemAt(source, offset, message) }
}

const require = createRequire(import.meta.url)

/** Loaded synchronously when the first expression is compiled: most tenants have none. */
function loadParser(): typeof import('acorn') {
  return require('acorn')
}
