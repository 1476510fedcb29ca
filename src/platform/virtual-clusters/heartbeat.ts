import { fraction } from '../../base/backoff.ts'
import type { Random } from '../../base/random.ts'

/** The state of a link that the status last reported. */
export interface ReportedLink {
  readonly keyName: string
  /** From then on it is reported again, even if unchanged. */
  readonly untilMs: number
}

/**
 * A random time between half of the interval and the whole, so that links that opened together are not reported
 * together forever.
 */
export function reportedLink(keyName: string, nowMs: number, intervalMs: number, random: Random): ReportedLink {
  return { keyName, untilMs: nowMs + intervalMs * (0.5 + fraction(random) / 2) }
}

export function isReportDue(said: ReportedLink | undefined, keyName: string, nowMs: number): boolean {
  return said === undefined || said.keyName !== keyName || nowMs >= said.untilMs
}
