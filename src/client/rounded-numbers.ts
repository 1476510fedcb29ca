/** Every integer of fewer digits fits a double. Texts without such a run of digits need no closer look. */
const longNumber = /\d{16}/

/** Whether reading the text as JSON may have changed a number in it. */
export function mayBeRounded(text: string): boolean {
  return longNumber.test(text)
}

/** Whether some number in a value is so large that it may have been another one on the wire. */
export function holdsRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsRoundedNumber)
}
