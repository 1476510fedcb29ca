import { largeInteger, largeIntegerOf } from './large-integer.ts'
import { isKept } from './scalar.ts'

/** A plain scalar as Go's YAML library reads it: YAML 1.1 with a few exceptions. */
export type PlainScalar =
  | { readonly value: string | number | boolean | null; readonly large?: bigint }
  /** A number that JavaScript would change. `large`: the same number as a bigint, if it is a 64-bit integer. */
  | { readonly inexact: string; readonly whole: boolean; readonly large?: bigint }

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
  if (decimal.test(digits)) return whole(digits, digits)
  const match = prefixed.exec(digits)
  if (match !== null) return whole(text, decimalOf(match[1] ?? '', match[2] ?? ''))
  if (fractional.test(digits)) return fraction(digits, Number(digits))
  return undefined
}

function decimalOf(sign: string, digits: string): string {
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase())
  return `${sign === '-' ? '-' : ''}${magnitude}`
}

function whole(text: string, digits: string): PlainScalar {
  const value = Number(digits)
  if (Number.isSafeInteger(value)) return { value }
  const large = withLarge(largeInteger(digits))
  return isKept(text, value) ? { value, ...large } : { inexact: text, whole: true, ...large }
}

function fraction(text: string, value: number): PlainScalar {
  if (!Number.isFinite(value)) return { inexact: text, whole: false }
  return { value, ...withLarge(largeIntegerOf(value)) }
}

function withLarge(large: bigint | undefined): { readonly large?: bigint } {
  return large === undefined ? {} : { large }
}

function spelled<T>(texts: readonly string[], value: T): [string, T][] {
  return texts.map((text) => [text, value])
}
