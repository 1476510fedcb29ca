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
