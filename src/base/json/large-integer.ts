const smallest = -(2n ** 63n)
const largest = 2n ** 63n - 1n

/**
 * A 64-bit integer that a double may not hold, as a bigint, so that code that takes it for a number throws instead of
 * rounding. Undefined for every other number. The text must be a decimal integer.
 */
export function largeInteger(text: string): bigint | undefined {
  if (Number.isSafeInteger(Number(text))) return undefined
  const value = BigInt(text)
  return value < smallest || value > largest ? undefined : value
}

/** A number that was written as a fraction or with an exponent, but prints as such an integer. */
export function largeIntegerOf(value: number): bigint | undefined {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined
  const text = String(value)
  return text.includes('e') ? undefined : largeInteger(text)
}

/** Whether the value is an integer, as a number or a bigint. */
export function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}
