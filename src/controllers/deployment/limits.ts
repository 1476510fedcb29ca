import type { IntOrPercent } from '../../api/core/int-or-percent.ts'
import type { Deployment } from '../../api/types/apps-v1.ts'

/** The most that the API can say of a size. */
export const maxInt32 = 2_147_483_647

export interface RolloutLimits {
  /** How many Pods are wanted. */
  readonly desired: number
  /** How many there may be during a rollout. */
  readonly most: number
  /** How many may be missing. */
  readonly maxUnavailable: number
}

export function rolloutLimits({ spec }: Deployment): RolloutLimits {
  const { replicas: desired = 1, strategy } = spec
  if (strategy.type !== 'RollingUpdate') return { desired, most: desired, maxUnavailable: 0 }
  const surge = share(strategy.rollingUpdate?.maxSurge ?? 0, desired, Math.ceil)
  const missing = share(strategy.rollingUpdate?.maxUnavailable ?? 0, desired, Math.floor)
  // If neither were allowed, nothing could ever change.
  const maxUnavailable = surge === 0 && missing === 0 ? 1 : missing
  return { desired, most: Math.min(desired + surge, maxInt32), maxUnavailable: Math.min(maxUnavailable, desired) }
}

/** So much of the total. A percentage may have any number of digits. */
export function share(value: IntOrPercent, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value
  const percent = Math.min(Number.parseInt(value, 10), Number.MAX_SAFE_INTEGER)
  return Math.min(round((percent * total) / 100), maxInt32)
}
