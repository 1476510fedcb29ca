import { backoffMs } from '../../base/backoff.ts'
import type { Random } from '../../base/random.ts'
import type { LinkProblemReason } from './contract.ts'

const firstMs = 250
const longestMs = 15_000
/** What only a person can change is asked less often; a new key is tried at once anyway. */
const longestRefusedMs = 60_000

const refusals: ReadonlySet<LinkProblemReason> = new Set([
  ...([
    'KeyRefused',
    'RoleMissing',
    'LicenseMissing',
    'NotAllowed',
    'ProjectMissing',
    'NameTaken',
    'KeyRevoked',
    'Replaced',
    'Flooding',
  ] as const),
])

/** How long to wait before the next attempt: longer each time, and never at the same moment as all the others. */
export function linkPauseMs(attempt: number, reason: LinkProblemReason, random: Random): number {
  const longest = refusals.has(reason) ? longestRefusedMs : longestMs
  return backoffMs(attempt + 1, { firstMs, longestMs: longest }, random)
}

/** A link that held so long was a good one: the next attempt comes soon. */
const steadyMs = 20_000
/** A revoked key does not become valid soon, and others that share it have lost their links at the same moment: 2 s at least. */
const attemptAfterRevocation = 4

/** Which attempt it was that has just failed, or whose link has just ended. */
export function countedAttempt(attempt: number, reason: LinkProblemReason, tookMs: number): number {
  const counted = tookMs > steadyMs ? 0 : attempt
  return reason === 'KeyRevoked' ? Math.max(counted, attemptAfterRevocation) : counted
}
