import type { Attributes } from '../../api/access.ts'
import { ApiError } from '../../api/error.ts'
import { objectAt, textAt } from '../../auth/member.ts'
import type { InsideAnswer } from '../../auth/scope/explain.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import { BrokenAnswer, passedAnswer } from '../../server/onward/answer.ts'
import { readRequestInfo } from '../../server/request/request-info.ts'
import { impersonationHeaders } from './impersonation.ts'
import { reachedObject, reachedObjectText } from './reached-object.ts'
import { type RouteParts, routeTo } from './upstream-route.ts'
import { wholeBody } from './whole-body.ts'

export type AskUpstream = (attributes: Attributes) => Promise<InsideAnswer | undefined>

const url = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const info = readRequestInfo('POST', url)
const patienceMs = 5_000
const longestReason = 500

/**
 * Asks an API behind the platform whether it would allow a request by this user. Undefined for requests that the
 * platform itself answers.
 */
export function askUpstream(parts: RouteParts): AskUpstream {
  return async (attributes) => {
    const object = attributes.target && reachedObject(attributes.target)
    if (attributes.target === undefined || object === undefined) return undefined
    const place = reachedObjectText(object)
    try {
      const { forwarder, roles, groups } = await routeTo(parts, attributes.user, attributes.target, info)
      const signal = AbortSignal.timeout(patienceMs)
      const answer = await forwarder.forward({
        method: 'POST',
        url,
        upgrade: undefined,
        signal,
        headers: [...jsonHeaders, ...impersonationHeaders(attributes.user, groups)],
        body: Buffer.from(JSON.stringify(reviewOf(attributes))),
      })
      return { place, roles, ...(await verdictIn(answer, signal).finally(() => giveUpAnswer(answer))) }
    } catch (error) {
      return { place, roles: [], allowed: undefined, reason: whyNot(error) }
    }
  }
}

const jsonHeaders = ['content-type', 'application/json', 'accept', 'application/json']

function reviewOf(attributes: Attributes): object {
  const { user: _, target: __, ...asked } = attributes
  const spec = 'path' in asked ? { nonResourceAttributes: asked } : { resourceAttributes: asked }
  return { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec }
}

async function verdictIn(
  answer: ForwardAnswer,
  signal: AbortSignal,
): Promise<Pick<InsideAnswer, 'allowed' | 'reason'>> {
  const response = await passedAnswer(answer, 'POST', [signal])
  if (response.status !== 201) return { allowed: undefined, reason: `it answers with the status ${response.status}` }
  const review: unknown = JSON.parse((await wholeBody(response)).toString())
  const status = isJsonObject(review) ? objectAt(review, 'status') : undefined
  return { allowed: status?.allowed === true, reason: textAt(status, 'reason').slice(0, longestReason) }
}

function whyNot(error: unknown): string {
  if (error instanceof ApiError || error instanceof ConnectionError || error instanceof BrokenAnswer)
    return error.message
  return 'its answer makes no sense'
}
