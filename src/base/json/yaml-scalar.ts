import { isKept } from './scalar.ts'

/** A plain scalar as Go's YAML reads it, which is YAML 1.1 with a few exceptions of its own. */
export type PlainScalar =
  | { readonly value: string | number | boolean | null }
  /** A number that JavaScript would change. */
  | { readonly inexact: string; readonly whole: boolean }

const words: ReadonlyMap<string, boolean | null> = new Map([
  ...spelled(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], true),
  ...spelled(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], false),
  ...spelled(['', '~', 'null', 'Null', 'NULL'], null),
])

const infinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const decimal = /^[-+]?(?:0|[1-9][0-9]*)$/
const prefixed = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+)$/
const fractional = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

export function resolvePlain(text: string): PlainScalar {
  const word = words.get(text)
  if (word !== undefined) return { value: word }
  if (!/^[-+.0-9]/.test(text)) return { value: text }
  return resolveNumber(text) ?? { value: text }
}

/** Whether a reader would take the plain text for something other than a string. */
export function isAmbiguous(text: string): boolean {
  const resolved = resolvePlain(text)
  return 'inexact' in resolved || typeof resolved.value !== 'string'
}

function resolveNumber(text: string): PlainScalar | undefined {
  if (infinite.test(text)) return { inexact: text, whole: false }
  const digits = text.replaceAll('_', '')
  if (decimal.test(digits)) return exact(digits, Number(digits), true)
  const match = prefixed.exec(digits)
  if (match !== null) return exact(text, prefixedValue(match[1] ?? '', match[2] ?? ''), true)
  if (fractional.test(digits)) return exact(digits, Number(digits), false)
  return undefined
}

function prefixedValue(sign: string, digits: string): number {
  const magnitude = Number(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase())
  return sign === '-' ? -magnitude : magnitude
}

function exact(text: string, value: number, whole: boolean): PlainScalar {
  const kept = whole ? isKept(text, value) : Number.isFinite(value)
  return kept ? { value } : { inexact: text, whole }
}

function spelled<T>(texts: readonly string[], value: T): [string, T][] {
  return texts.map((text) => [text, value])
}
