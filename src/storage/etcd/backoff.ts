import type { Random } from '../../base/random.ts'

const firstMs = 50
const longestMs = 5_000

/** Doubles with each failure in a row; half of it is chance, so that many clients do not come back at one moment. */
export function backoffMs(failures: number, random: Random): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20))
  const chance = (random.bytes(1)[0] ?? 0) / 255
  return full / 2 + (full / 2) * chance
}
