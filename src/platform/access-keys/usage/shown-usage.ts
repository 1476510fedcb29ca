import type { RecordedUse } from '../../../auth/keys/contract.ts'
import { timestamp } from '../../../base/clock.ts'
import type { UsageSince } from './key-uses.ts'

export function shownUse({ lastMs, ...use }: RecordedUse): object {
  return { ...use, last: timestamp(lastMs) }
}

/** How much of the usage the record covers. */
export function shownExtent({ complete, sinceMs, delaySeconds }: UsageSince): object {
  return { usesComplete: complete, usesSince: timestamp(sinceMs), usesDelaySeconds: delaySeconds }
}
