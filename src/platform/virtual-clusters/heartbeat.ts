import { fraction } from '../../base/backoff.ts'
import type { Random } from '../../base/random.ts'

/** What the status of a virtual cluster was last told of its link. */
export interface SaidOfLink {
  readonly keyName: string
  /** From then on it is told again, though nothing may have changed. */
  readonly untilMs: number
}

/** By chance between half of the interval and the whole: links that opened together are not told of together for good. */
export function saidOfLink(keyName: string, nowMs: number, intervalMs: number, random: Random): SaidOfLink {
  return { keyName, untilMs: nowMs + intervalMs * (0.5 + fraction(random) / 2) }
}

export function isToBeSaid(said: SaidOfLink | undefined, keyName: string, nowMs: number): boolean {
  return said === undefined || said.keyName !== keyName || nowMs >= said.untilMs
}
