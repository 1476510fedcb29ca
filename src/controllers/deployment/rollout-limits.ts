import type { Deployment } from '../../api/types/apps-v1.ts'
import { maxInt32, shareOf } from '../pods/share.ts'

export interface RolloutLimits {
  /** The desired number of Pods. */
  readonly desired: number
  /** The maximum number during a rollout. */
  readonly most: number
  /** How many may be unavailable. */
  readonly maxUnavailable: number
}

export function rolloutLimits({ spec }: Deployment): RolloutLimits {
  const { replicas: desired = 1, strategy } = spec
  if (strategy.type !== 'RollingUpdate') return { desired, most: desired, maxUnavailable: 0 }
  const surge = shareOf(strategy.rollingUpdate?.maxSurge ?? 0, desired, Math.ceil)
  const missing = shareOf(strategy.rollingUpdate?.maxUnavailable ?? 0, desired, Math.floor)
  // If neither were allowed, nothing could ever change.
  const maxUnavailable = surge === 0 && missing === 0 ? 1 : missing
  return { desired, most: Math.min(desired + surge, maxInt32), maxUnavailable: Math.min(maxUnavailable, desired) }
}
