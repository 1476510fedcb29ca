export type ParsedQuantity =
  | { readonly valid: true; readonly text: string }
  | { readonly valid: false; readonly reason: string }

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const wrongSuffix = "unable to parse quantity's suffix"
const shape = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eE][-+]?\d+)|[a-zA-Z]*)$/
const longestText = 100
const largest = 2n ** 63n - 1n

const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const decimalSuffixes: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
])

type Format = 'binary' | 'decimal' | 'exponent'

/** `digits` × 10^`exponent`. */
interface Amount {
  readonly digits: bigint
  readonly exponent: number
}

/** An amount such as `500m` or `1Gi`, given back in its one canonical form: the largest suffix that loses nothing. */
export function parseQuantity(source: string): ParsedQuantity {
  const text = source.trim()
  const parts = text.length > longestText ? null : shape.exec(text)
  if (parts === null) return { valid: false, reason: wrongFormat }
  const [, sign = '', whole = '', fraction = '', suffix = ''] = parts
  if (whole === '' && fraction === '') return { valid: false, reason: wrongFormat }
  const scale = scaleOf(suffix)
  if (scale === undefined) return { valid: false, reason: wrongSuffix }
  const digits = BigInt(whole + fraction) * scale.factor
  const amount = bounded({ digits, exponent: scale.exponent - fraction.length })
  const printed = amount.digits === 0n ? '0' : print(amount, scale.format)
  return { valid: true, text: sign === '-' && printed !== '0' ? `-${printed}` : printed }
}

function scaleOf(suffix: string): { factor: bigint; exponent: number; format: Format } | undefined {
  const power = binarySuffixes.indexOf(suffix)
  if (power > 0) return { factor: 1024n ** BigInt(power), exponent: 0, format: 'binary' }
  for (const [exponent, name] of decimalSuffixes)
    if (name === suffix) return { factor: 1n, exponent, format: 'decimal' }
  if (!/^[eE]/.test(suffix)) return undefined
  const exponent = Number(suffix.slice(1))
  return Math.abs(exponent) > 1000 ? undefined : { factor: 1n, exponent, format: 'exponent' }
}

/** Nothing finer than nano, rounded up; nothing above what 64 bits hold. */
function bounded(amount: Amount): Amount {
  if (amount.exponent < -9) {
    const divisor = 10n ** BigInt(-9 - amount.exponent)
    return { digits: (amount.digits + divisor - 1n) / divisor, exponent: -9 }
  }
  const tooLarge = amount.exponent >= 0 && amount.digits * 10n ** BigInt(amount.exponent) > largest
  return tooLarge ? { digits: largest, exponent: 0 } : amount
}

function print(amount: Amount, format: Format): string {
  const whole = wholeValue(amount)
  if (format === 'binary' && whole !== undefined && whole >= 1024n) return printBinary(whole)
  const trimmed = withoutZeros(amount)
  const digits = trimmed.digits * 10n ** BigInt(trimmed.exponent - multipleOfThree(trimmed.exponent))
  const exponent = multipleOfThree(trimmed.exponent)
  if (format === 'exponent') return exponent === 0 ? String(digits) : `${digits}e${exponent}`
  const suffix = decimalSuffixes.get(exponent)
  return suffix === undefined ? `${digits}e${exponent}` : `${digits}${suffix}`
}

function printBinary(value: bigint): string {
  let rest = value
  let power = 0
  while (rest % 1024n === 0n && power < binarySuffixes.length - 1) {
    rest /= 1024n
    power++
  }
  return `${rest}${binarySuffixes[power]}`
}

function wholeValue({ digits, exponent }: Amount): bigint | undefined {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  return digits % divisor === 0n ? digits / divisor : undefined
}

function withoutZeros(amount: Amount): Amount {
  let { digits, exponent } = amount
  while (digits % 10n === 0n) {
    digits /= 10n
    exponent++
  }
  return { digits, exponent }
}

function multipleOfThree(exponent: number): number {
  return Math.floor(exponent / 3) * 3
}
