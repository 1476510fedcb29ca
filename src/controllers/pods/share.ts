import type { IntOrPercent } from '../../api/core/int-or-percent.ts'

/** The largest size that the API allows. */
export const maxInt32 = 2_147_483_647

/** A number of Pods, or a percentage of them, which may have any number of digits. */
export function shareOf(value: IntOrPercent, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value
  const percent = Math.min(Number.parseInt(value, 10), Number.MAX_SAFE_INTEGER)
  return Math.min(round((percent * total) / 100), maxInt32)
}
