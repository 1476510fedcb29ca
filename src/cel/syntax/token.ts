import { type CelValue, celBytes, celUint } from '../value.ts'
import type { SourceError } from './source-error.ts'
import { unescaped } from './unescape.ts'

export interface CelToken {
  readonly kind: 'name' | 'literal' | 'symbol' | 'end'
  /** The text of a literal, as written. */
  readonly text: string
  readonly at: number
  readonly value?: CelValue
  /** A number, to which a preceding sign belongs. */
  readonly isNumber?: boolean
}

const space = /[\t\n\f\r ]+|\/\/[^\n]*/y
const name = /[_a-zA-Z][_a-zA-Z0-9]*/y
const number = /0x[0-9a-fA-F]+[uU]?|(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)|[0-9]+[uU]?/y
const stringStart = /([rR]?[bB]|[bB]?[rR]|)('''|"""|'|")/y
const symbol = /&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}]/y

const constants: ReadonlyMap<string, CelValue> = new Map<string, CelValue>([
  ['true', true],
  ['false', false],
  ['null', null],
])

export interface CelTokens {
  readonly tokens: readonly CelToken[]
  /** Characters that are not tokens. The tokens around them are read as if they were not there. */
  readonly unknown: readonly SourceError[]
}

/** The tokens of an expression, or the error that makes one of them invalid. */
export function celTokens(text: string): CelTokens | SourceError {
  const tokens: CelToken[] = []
  const unknown: SourceError[] = []
  let at = 0
  for (;;) {
    at += matchAt(space, text, at)?.[0].length ?? 0
    if (matchAt(space, text, at) !== undefined) continue
    if (at === text.length) break
    const token = tokenAt(text, at)
    if ('message' in token) return token
    if ('skipped' in token) {
      unknown.push({
        at,
        message: `Syntax error: token recognition error at: '${token.skipped.slice(0, longestShown)}'`,
      })
      at += token.skipped.length
      continue
    }
    tokens.push(token)
    at += token.text.length
  }
  return { tokens: [...tokens, { kind: 'end', text: '<EOF>', at }], unknown }
}

const longestShown = 200

/** Characters that are not a token. */
interface NoToken {
  readonly skipped: string
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

function tokenAt(text: string, at: number): CelToken | SourceError | NoToken {
  const string = matchAt(stringStart, text, at)
  if (string !== undefined) return stringToken(text, at, string)
  const digits = matchAt(number, text, at)?.[0]
  if (digits !== undefined) return numberToken(digits, at)
  const word = matchAt(name, text, at)?.[0]
  if (word !== undefined) {
    const value = constants.get(word)
    return value === undefined
      ? { kind: word === 'in' ? 'symbol' : 'name', text: word, at }
      : { kind: 'literal', text: word, at, value }
  }
  const sign = matchAt(symbol, text, at)?.[0]
  if (sign !== undefined) return { kind: 'symbol', text: sign, at }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  // Half of a two-character symbol is skipped together with the next character.
  return { skipped: '=&|'.includes(character) ? text.slice(at, at + 2) : character }
}

const largestInt = 2n ** 63n - 1n
const largestUint = 2n ** 64n - 1n

function numberToken(text: string, at: number): CelToken | SourceError {
  if (/[.]|^[0-9]+[eE]/.test(text) && !text.startsWith('0x')) {
    const value = Number(text)
    if (!Number.isFinite(value)) return { at, message: 'invalid double literal' }
    return { kind: 'literal', text, at, value, isNumber: true }
  }
  const isUnsigned = /[uU]$/.test(text)
  if (text.length > 40) return { at, message: isUnsigned ? 'invalid uint literal' : 'invalid int literal' }
  const digits = BigInt(isUnsigned ? text.slice(0, -1) : text)
  if (isUnsigned) {
    if (digits > largestUint) return { at, message: 'invalid uint literal' }
    return { kind: 'literal', text, at, value: celUint(digits), isNumber: true }
  }
  // One more than the largest integer is the smallest one, with a sign before it.
  if (digits > largestInt + 1n) return { at, message: 'invalid int literal' }
  return { kind: 'literal', text, at, value: digits, isNumber: true }
}

function stringToken(
  text: string,
  at: number,
  [start, prefix = '', quote = '']: RegExpExecArray,
): CelToken | SourceError | NoToken {
  const isRaw = /r/i.test(prefix)
  const contentAt = at + (start ?? '').length
  const end = stringEnd(text, contentAt, quote, isRaw)
  if (end === undefined) return { skipped: text.slice(at).split(/[\r\n]/, 1)[0] ?? '' }
  const content = text.slice(contentAt, end)
  const whole = text.slice(at, end + quote.length)
  const isBytes = /b/i.test(prefix)
  const value = isRaw ? content : unescaped(content, isBytes)
  if (value === undefined) return { at, message: 'invalid string literal' }
  if (typeof value !== 'string') return { kind: 'literal', text: whole, at, value: celBytes(value) }
  if (isBytes) return { kind: 'literal', text: whole, at, value: celBytes(new TextEncoder().encode(value)) }
  return { kind: 'literal', text: whole, at, value }
}

function stringEnd(text: string, from: number, quote: string, isRaw: boolean): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at
    if (quote.length === 1 && (text[at] === '\n' || text[at] === '\r')) return undefined
    if (text[at] === '\\' && !isRaw) at++
  }
  return undefined
}
