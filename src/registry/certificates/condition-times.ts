import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../../api/types/certificates-v1.ts'
import { timestamp } from '../../base/clock.ts'

/**
 * Conditions record when they were last updated, and since when they have their status. Times set by the writer are
 * kept.
 */
export function withConditionTimes(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  nowMs: number,
): CertificateSigningRequest {
  const { conditions } = request.status
  if (conditions === undefined) return request
  const now = timestamp(nowMs)
  const since = new Map(old.status.conditions?.map((each) => [identityOf(each), each.lastTransitionTime]))
  const timed = conditions.map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? since.get(identityOf(condition)) ?? now,
  }))
  return { ...request, status: { ...request.status, conditions: timed } }
}

function identityOf({ type, status }: CertificateSigningRequestCondition): string {
  return `${status} ${type}`
}
