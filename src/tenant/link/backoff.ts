import { backoffMs } from '../../base/backoff.ts'
import type { Random } from '../../base/random.ts'
import type { LinkProblem, LinkProblemReason } from './contract.ts'

const firstMs = 250
const longestMs = 15_000
/** Problems that only a person can fix are retried less often; a new key is tried at once anyway. */
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

/** A link that lasted this long was stable, so the next attempt comes soon. */
const steadyMs = 20_000
/**
 * A revoked key does not become valid soon, and others that share it lost their links at the same time: wait at least 2
 * s.
 */
const attemptAfterRevocation = 4
/** How long a platform that ended the link in an orderly way is expected to return at any time. */
const restartMs = 15_000
/**
 * How often the replicas of a platform may end one after the other. A platform that ends the link more often is asked
 * less often each time.
 */
const usualGoodbyes = 5

/** The results of earlier attempts. */
export interface Attempts {
  /** Consecutive failures. */
  readonly failed: number
  /** A platform that restarts: until when it is expected back, and how often it is asked until then. */
  readonly restart?: Restart
}

interface Restart {
  readonly untilMs: number
  readonly paceMs: number
  /** How often in a row the platform announced this on short-lived links. */
  readonly goodbyes: number
}

export const noAttempts: Attempts = { failed: 0 }

export interface EndedAttempt {
  readonly problem: LinkProblem
  readonly tookMs: number
  readonly nowMs: number
}

/** After an attempt failed, or its link ended. */
export function countedAttempts(before: Attempts, { problem, tookMs, nowMs }: EndedAttempt): Attempts {
  const { reason, returnWithinMs } = problem
  if (returnWithinMs !== undefined) {
    const goodbyes = tookMs > steadyMs ? 1 : (before.restart?.goodbyes ?? 0) + 1
    const slower = 2 ** Math.max(0, goodbyes - usualGoodbyes)
    const paceMs = Math.min(longestMs, Math.max(firstMs, returnWithinMs) * slower)
    return { failed: 0, restart: { untilMs: nowMs + restartMs, paceMs, goodbyes } }
  }
  const { restart } = before
  if (restart !== undefined && nowMs < restart.untilMs && isAway(reason)) return before
  const failed = tookMs > steadyMs ? 1 : before.failed + 1
  return { failed: reason === 'KeyRevoked' ? Math.max(failed, attemptAfterRevocation + 1) : failed }
}

/** How long to wait before the next attempt: longer each time, and spread so that clients do not return together. */
export function linkPauseMs({ failed, restart }: Attempts, reason: LinkProblemReason, random: Random): number {
  if (restart !== undefined) return backoffMs(1, { firstMs: restart.paceMs, longestMs: restart.paceMs }, random)
  return backoffMs(failed, { firstMs, longestMs: refusals.has(reason) ? longestRefusedMs : longestMs }, random)
}

function isAway(reason: LinkProblemReason): boolean {
  return reason === 'Unreachable' || reason === 'PlatformUnavailable' || reason === 'ConnectionLost'
}
