import { linkLimits } from '../../api/link-limits.ts'

export interface DrainTimes {
  /** How long the link stays open. */
  readonly graceMs: number
  /** The time within which the tenant should open another link. */
  readonly returnWithinMs: number
}

/** Spreads the reconnects of links that end together. */
export function returnTimeOf(links: number): number {
  return Math.min(links * linkLimits.takeBackMs, linkLimits.longestReturnMs)
}

/**
 * A link that must move stays open longer than its tenant waits before opening another, however many links there are.
 */
export function moveTimesOf(links: number): DrainTimes {
  const returnWithinMs = Math.min(returnTimeOf(links), linkLimits.longestMoveMs)
  return { returnWithinMs, graceMs: Math.max(linkLimits.leastMoveMs, returnWithinMs + linkLimits.moveMs) }
}
