import { linkLimits } from '../../api/link-limits.ts'

export interface DrainTimes {
  /** How long the link goes on. */
  readonly graceMs: number
  /** Within how long the tenant tries to open another. */
  readonly returnWithinMs: number
}

/** Those that end together come back one after the other. */
export function returnTimeOf(links: number): number {
  return Math.min(links * linkLimits.takeBackMs, linkLimits.longestReturnMs)
}

/** A link that is to move goes on for longer than its tenant waits before it opens another, however many there are. */
export function moveTimesOf(links: number): DrainTimes {
  const returnWithinMs = Math.min(returnTimeOf(links), linkLimits.longestMoveMs)
  return { returnWithinMs, graceMs: returnWithinMs + linkLimits.moveMs }
}
