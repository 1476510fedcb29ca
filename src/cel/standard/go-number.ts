/** A double in Go's shortest form: 1e+06, 1.5. */
export function printDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 6) return plainDouble(value)
  const size = Math.abs(exponent)
  return `${digits}e${exponent < 0 ? '-' : '+'}${size < 10 ? `0${size}` : size}`
}

/** Without an exponent, however long it gets. */
function plainDouble(value: number): string {
  const text = String(value)
  return text.includes('e') ? BigInt(Math.trunc(value)).toString() : text
}

/** All digits of a finite double, rounded to so many after the point; a tie goes to the even digit. */
export function fixedDouble(value: number, digits: number): string {
  const { mantissa, exponent } = partsOf(Math.abs(value))
  const scaled = mantissa * 10n ** BigInt(digits)
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : roundedShift(scaled, BigInt(-exponent))
  const text = rounded.toString().padStart(digits + 1, '0')
  const point = text.length - digits
  const fraction = digits === 0 ? '' : `.${text.slice(point)}`
  return `${value < 0 || Object.is(value, -0) ? '-' : ''}${text.slice(0, point)}${fraction}`
}

/** The double is mantissa * 2 ** exponent. */
function partsOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const raw = bits.getBigUint64(0)
  const biased = Number(raw >> 52n)
  const fraction = raw & 0xf_ffff_ffff_ffffn
  if (biased === 0) return { mantissa: fraction, exponent: -1074 }
  return { mantissa: fraction | (1n << 52n), exponent: biased - 1075 }
}

function roundedShift(value: bigint, places: bigint): bigint {
  const whole = value >> places
  const rest = value - (whole << places)
  const half = 1n << (places - 1n)
  return rest > half || (rest === half && whole % 2n === 1n) ? whole + 1n : whole
}
