import type { Random } from './random.ts'

export interface BackoffLimits {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * How long to wait after `failures` failures in a row, the first one being 1. The time doubles with each failure, and
 * half of it is random, so that clients that failed together do not retry together.
 */
export function backoffMs(failures: number, { firstMs, longestMs }: BackoffLimits, random: Random): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(failures, 1) - 1, 30))
  return Math.round(full * (0.5 + fraction(random) / 2))
}

/** A number from 0 up to, but not including, 1. */
export function fraction(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2)
  return (high * 256 + low) / 65_536
}
