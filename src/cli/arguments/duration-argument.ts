import { InvalidArgumentError } from 'commander'
import { parseDuration } from './duration.ts'

/** In seconds. */
export function durationArgument(text: string): number {
  const parsed = parseDuration(text)
  if ('seconds' in parsed) return parsed.seconds
  throw new InvalidArgumentError(parsed.problem)
}

/** At least one second. */
export function positiveDurationArgument(text: string): number {
  const seconds = durationArgument(text)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('The duration must be more than 0.')
}

/** The same, where a plain number means seconds. */
export function positiveSecondsArgument(text: string): number {
  const seconds = secondsArgument(text)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('The duration must be more than 0.')
}

/** A plain number means seconds. */
export function secondsArgument(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : durationArgument(text)
}
