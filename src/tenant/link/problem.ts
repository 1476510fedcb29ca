import { ApiError } from '../../api/error.ts'
import { type LinkEnd, licenseMissing, proofMissing, proofWrong, roleMissing } from '../../api/link.ts'
import { linkLimits } from '../../api/link-limits.ts'
import { errorText } from '../../base/error-text.ts'
import { ConnectionError, UntrustedCertificate } from '../../client/connection/connection-error.ts'
import type { LinkProblem, LinkProblemReason } from './contract.ts'

/** Thrown when a link cannot be opened, with what an operator needs to know. */
export class LinkFailure extends Error {
  readonly problem: LinkProblem

  constructor(problem: LinkProblem) {
    super(problem.message)
    this.name = 'LinkFailure'
    this.problem = problem
  }
}

export function problemOf(error: unknown): LinkProblem {
  if (error instanceof LinkFailure) return error.problem
  if (error instanceof UntrustedCertificate) return { reason: 'CertificateRefused', message: error.message }
  if (error instanceof ConnectionError) return { reason: 'Unreachable', message: error.message }
  if (error instanceof ApiError) return { reason: reasonOf(error), message: told(error) }
  return { reason: 'PlatformError', message: errorText(error) }
}

const refusals: ReadonlyMap<string, LinkProblemReason> = new Map([
  [roleMissing, 'RoleMissing'],
  [licenseMissing, 'LicenseMissing'],
  [proofMissing, 'ProofRefused'],
  [proofWrong, 'ProofRefused'],
])

function reasonOf({ code, status }: ApiError): LinkProblemReason {
  const causes = status.details?.causes ?? []
  switch (code) {
    case 401:
      return 'KeyRefused'
    case 403:
      return causes.map(({ reason }) => refusals.get(reason ?? '')).find((known) => known !== undefined) ?? 'NotAllowed'
    case 404:
      return 'ProjectMissing'
    case 409:
      return 'NameTaken'
    case 429:
    case 503:
      return 'PlatformUnavailable'
    default:
      return 'PlatformError'
  }
}

/** Replaces a bare "Unauthorized", which does not help the operator. */
function told({ message, code }: ApiError): string {
  return code === 401 && message === 'Unauthorized' ? 'the platform does not know the access key' : message
}

const endings: Readonly<Record<LinkEnd, LinkProblemReason>> = {
  KeyRevoked: 'KeyRevoked',
  Draining: 'PlatformUnavailable',
  Replaced: 'Replaced',
  Removed: 'Removed',
  Reissued: 'Reissued',
  Flooding: 'Flooding',
}

export function endedBy(reason: unknown, message: unknown, returnWithinMs?: unknown): LinkProblem {
  const known = typeof reason === 'string' && isEnd(reason) ? endings[reason] : 'ConnectionLost'
  return {
    reason: known,
    message: typeof message === 'string' ? message : 'the platform ended the link',
    ...(reason === 'Draining' && isTime(returnWithinMs) && { returnWithinMs }),
  }
}

/** A time from a platform is accepted up to the maximum that this version would send. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= linkLimits.longestReturnMs
}

/** Why a new key cannot carry the link. */
export function keyRefusedBy(reason: unknown, message: unknown): LinkProblem {
  const known = reason === 'RoleMissing' || reason === 'NotAllowed' ? reason : 'KeyRefused'
  return { reason: known, message: typeof message === 'string' ? message : 'the platform refuses the access key' }
}

function isEnd(reason: string): reason is LinkEnd {
  return Object.hasOwn(endings, reason)
}
