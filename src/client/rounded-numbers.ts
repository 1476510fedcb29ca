/** Every integer of fewer digits fits a double. Texts without such a run of digits need no closer look. */
const longNumber = /\d{16}/

/** An object holds a number that JavaScript changes. Written back, it would be another one, so it is not read at all. */
export class RoundedNumber extends Error {
  constructor(what: string) {
    super(`${what} holds a number that is too large to be kept exactly`)
    this.name = 'RoundedNumber'
  }
}

/** Whether values that are read from this text need a closer look. */
export function mayBeRounded(text: string): boolean {
  return longNumber.test(text)
}

export function holdsRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsRoundedNumber)
}
