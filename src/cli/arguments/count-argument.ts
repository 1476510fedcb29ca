import { InvalidArgumentError } from 'commander'

/** A positive integer. */
export function countArgument(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count > 0) return count
  throw new InvalidArgumentError('It must be a whole number above 0.')
}
