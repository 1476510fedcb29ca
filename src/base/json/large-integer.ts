const smallest = -(2n ** 63n)
const largest = 2n ** 63n - 1n

/**
 * An integer of 64 bits that a double may not hold: a bigint, so that code which takes it for a number throws instead of
 * rounding. Undefined for every other number; the text is that of an integer in decimal.
 */
export function largeInteger(text: string): bigint | undefined {
  if (Number.isSafeInteger(Number(text))) return undefined
  const value = BigInt(text)
  return value < smallest || value > largest ? undefined : value
}

/** A number that was written as a fraction or with an exponent, but is printed as such an integer. */
export function largeIntegerOf(value: number): bigint | undefined {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined
  const text = String(value)
  return text.includes('e') ? undefined : largeInteger(text)
}

/** Whether it is an integer in either of its forms. */
export function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}
