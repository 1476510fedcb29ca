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
