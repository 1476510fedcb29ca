/** An amount of a resource, such as `500m` or `1Gi`. */
export interface Quantity {
  /** In billionths, the smallest unit. */
  readonly nanos: bigint
  readonly format: QuantityFormat
}

/** The kind of suffix with which the amount was written; the canonical form keeps it. */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent'

export type ParsedQuantity = Quantity | { readonly problem: string }

interface Scale {
  readonly base: bigint
  readonly exponent: number
  readonly format: QuantityFormat
}

const unit = 1_000_000_000n
const thousandth = unit / 1000n
const nanoExponent = -9
const maxNanos = (2n ** 63n - 1n) * unit

/** The pattern in messages; the patterns below accept the same without backtracking. */
const told = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
const shape = /^([+-]?[0-9.]+)((?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?)$/
const number = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/
/** More digits than any amount that differs from the largest one. */
const maxDigits = 40

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** The same few amounts recur: in each Pod and each template, for defaults, checks and quotas. */
const parsed = new Map<string, ParsedQuantity>()
const mostParsed = 1_024
/** A longer text may be a slice that would keep its whole source in memory. */
const longestKept = 12

/**
 * Problems are worded as in Kubernetes. Amounts beyond 64 bits become the largest one; fractions of a billionth are
 * rounded up.
 */
export function parseQuantity(text: string): ParsedQuantity {
  if (text.length > longestKept) return readQuantity(text)
  const known = parsed.get(text)
  if (known !== undefined) return known
  const read = readQuantity(text)
  if (parsed.size >= mostParsed) parsed.clear()
  parsed.set(text, read)
  return read
}

function readQuantity(text: string): ParsedQuantity {
  const [, amount, suffix] = shape.exec(text) ?? []
  if (amount === undefined || suffix === undefined) {
    return { problem: `quantities must match the regular expression '${told}'` }
  }
  const scale = scaleOf(suffix)
  if (scale === undefined) return { problem: "unable to parse quantity's suffix" }
  const [found, sign, whole = '', fraction = ''] = number.exec(amount) ?? []
  if (found === undefined) return { problem: `quantities must match the regular expression '${told}'` }
  if (!/[0-9]/.test(found)) return { problem: 'unable to parse numeric part of quantity' }
  const magnitude = scaled(whole, fraction, scale)
  return { nanos: sign === '-' ? -magnitude : magnitude, format: scale.format }
}

/** For a validated amount; an invalid one counts as zero. */
export function quantityOf(amount: string | number): Quantity {
  const read = parseQuantity(String(amount))
  return 'problem' in read ? { nanos: 0n, format: 'decimal' } : read
}

export function nanosOf(amount: string | number): bigint {
  return quantityOf(amount).nanos
}

/** The canonical form of an amount: the largest suffix without a fraction. */
export function printQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0'
  if (format === 'binary' && isWholeBinary(nanos)) return printBinary(nanos / unit)
  return printDecimal(nanos, format)
}

/** Rounds an amount up to a thousandth, unless it already is a multiple. */
export function roundedToThousandths<T extends string | number>(amount: T): T | string {
  const read = parseQuantity(String(amount))
  if ('problem' in read || read.nanos % thousandth === 0n || read.nanos < 0n) return amount
  return printQuantity({ ...read, nanos: dividedUp(read.nanos, thousandth) * thousandth })
}

function scaleOf(suffix: string): Scale | undefined {
  const decimal = decimalSuffixes.indexOf(suffix)
  if (decimal >= 0) return { base: 10n, exponent: nanoExponent + 3 * decimal, format: 'decimal' }
  const binary = binarySuffixes.indexOf(suffix)
  if (binary >= 0) return { base: 1024n, exponent: binary, format: 'binary' }
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined
  return { base: 10n, exponent: Number(suffix.slice(1)), format: 'exponent' }
}

function scaled(whole: string, fraction: string, { base, exponent }: Scale): bigint {
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return 0n
  if (base === 1024n) return shifted(digits, -nanoExponent - fraction.length, 1024n ** BigInt(exponent))
  return shifted(digits, exponent - nanoExponent - fraction.length, 1n)
}

/** `digits` × 10^`tens` × `factor`, never above the largest amount and never rounded down to zero. */
function shifted(digits: string, tens: number, factor: bigint): bigint {
  if (digits.length + tens > maxDigits) return maxNanos
  if (digits.length + tens < -maxDigits) return 1n
  const significant = digits.slice(0, maxDigits * 2)
  const dropped = digits.length - significant.length
  const value = BigInt(significant) * factor
  const exponent = tens + dropped
  const nanos = exponent >= 0 ? value * 10n ** BigInt(exponent) : dividedUp(value, 10n ** BigInt(-exponent))
  return capped(nanos)
}

function capped(nanos: bigint): bigint {
  if (nanos > maxNanos) return maxNanos
  return nanos
}

function dividedUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}

function isWholeBinary(nanos: bigint): boolean {
  const magnitude = nanos < 0n ? -nanos : nanos
  return magnitude >= 1024n * unit && nanos % unit === 0n
}

function printBinary(value: bigint): string {
  let rest = value
  let step = 0
  while (rest % 1024n === 0n && step < binarySuffixes.length - 1) {
    rest /= 1024n
    step++
  }
  return `${rest}${binarySuffixes[step]}`
}

function printDecimal(nanos: bigint, format: QuantityFormat): string {
  let rest = nanos
  let step = 0
  while (rest % 1000n === 0n && step < decimalSuffixes.length - 1) {
    rest /= 1000n
    step++
  }
  if (format !== 'exponent') return `${rest}${decimalSuffixes[step]}`
  const exponent = nanoExponent + 3 * step
  return exponent === 0 ? `${rest}` : `${rest}e${exponent}`
}
