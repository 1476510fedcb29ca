import { ApiError, serviceUnavailable, unreachable } from '../../api/error.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange, Onward } from '../../server/exchange.ts'
import { isLongRunning } from '../../server/fairness/long-running.ts'
import type { Response } from '../../server/http.ts'
import { BrokenAnswer, passedAnswer } from '../../server/onward/answer.ts'
import { cutBy } from '../../server/onward/cuts.ts'
import { askingForJson, passedRequestHeaders, withBodyOf } from '../../server/onward/passed-request.ts'
import { impersonationHeaders } from './impersonation.ts'
import { type LimitsOf, withoutLastingCredentials } from './lasting-credentials.ts'
import { PendingRequests } from './pending-requests.ts'
import { inWords, type ReachedObject, reachedObject } from './reached-object.ts'
import { scopedCreation } from './scoped-creation.ts'
import { type Sent, scopedSelfReviews } from './self-reviews.ts'
import { type RouteParts, routeTo } from './upstream-route.ts'

export interface ProxyParts extends RouteParts {
  /** Aborts when the server is about to stop. */
  readonly stopping: AbortSignal
  /** How far a key may go. */
  readonly limitsOf: LimitsOf
}

/** Requests for APIs behind the platform. They have been authenticated, and authorized with their target. */
export function proxyRoute(parts: ProxyParts): ExtraRoute {
  const unanswered = new PendingRequests()
  const checked = withoutLastingCredentials(parts.limitsOf, (...asked) => passOn(parts, unanswered, ...asked))
  const environment = { managementGroup: parts.managementGroup, isClusterScoped: () => undefined }
  const pass = scopedSelfReviews(environment, scopedCreation(checked))
  return ({ onward }) => onward && ((exchange) => pass(exchange, onward))
}

async function passOn(
  parts: ProxyParts,
  unanswered: PendingRequests,
  exchange: Exchange,
  onward: Onward,
  sent?: Sent,
): Promise<Response> {
  const object = reachedObject(onward.target)
  if (object === undefined) throw new Error('A request for the platform itself was to be passed on.')
  const { forwarder, groups } = await routeTo(parts, exchange.user, onward.target, exchange.info)
  const cuts = [exchange.request.signal, parts.stopping, ...revocationOf(exchange)]
  const answered = exchange.isWatch ? () => {} : unanswered.enter(inWords(object))
  // What is still being sent ends with the key too, or a body that takes its time would be carried out without one.
  const givenUp = new AbortController()
  const forget = cutBy(cuts, () => givenUp.abort())
  try {
    const answer = await forwarder.forward(requestOf(exchange, onward, groups, givenUp.signal, sent))
    if (answer.form !== 'upgraded' && answer.status === 401) throw refusedInside(answer, object)
    if (!isPlausible(answer, exchange)) throw nonsense(answer)
    return await passedAnswer(answer, exchange.request.method, cuts)
  } catch (error) {
    throw toldAs(error, object)
  } finally {
    forget()
    answered()
  }
}

function requestOf(
  exchange: Exchange,
  { url }: Onward,
  groups: readonly string[],
  signal: AbortSignal,
  sent?: Sent,
): ForwardRequest {
  const { request, auditId, user } = exchange
  const passed = passedRequestHeaders(request.rawHeaders, request.upgrade !== undefined)
  const headers = sent?.wantsJson === true ? askingForJson(passed) : passed
  headers.push('audit-id', auditId, ...impersonationHeaders(user, groups))
  const { method, upgrade } = request
  const body = sent?.body ?? bodyOf(exchange)
  const length = Buffer.isBuffer(body) ? body.length : 0
  const isAsItComes = sent === undefined && isLongRunning(exchange)
  const all = isAsItComes ? headers : withBodyOf(headers, length, sent?.contentType)
  return { method, url, headers: all, upgrade: sent === undefined ? upgrade : undefined, body, signal }
}

/** Only what is meant to go on and on is passed on as it comes. */
function bodyOf(exchange: Exchange): ForwardRequest['body'] {
  if (exchange.request.upgrade !== undefined) return undefined
  if (isLongRunning(exchange)) return exchange.request.openBody()
  return exchange.body.length === 0 ? undefined : exchange.body
}

/** The key that the request was sent with; it stays the same when the caller impersonates another user. */
function revocationOf({ user }: Exchange): readonly AbortSignal[] {
  return user.credential === undefined ? [] : [user.credential.revoked]
}

/** The caller has been authenticated: it is the platform whose credentials the upstream refuses. */
function refusedInside(answer: ForwardAnswer, object: ReachedObject): ApiError {
  giveUpAnswer(answer)
  return unreachable(`the ${inWords(object)} does not accept the credentials it is reached with`)
}

/** Whether the client can be given the answer. An upgrade that it did not ask for, for example, is not plausible. */
function isPlausible(answer: ForwardAnswer, { request }: Exchange): boolean {
  if (answer.form === 'upgraded') return isAmong(answer.protocol, request.upgrade)
  return answer.status >= 200 && answer.status <= 599
}

/** Protocols in order of preference, as a client names them. */
function isAmong(protocol: string, wanted = ''): boolean {
  const names = wanted.split(',').map((each) => each.trim().toLowerCase())
  return protocol !== '' && names.includes(protocol.toLowerCase())
}

function nonsense(answer: ForwardAnswer): Error {
  giveUpAnswer(answer)
  return new ConnectionError('its answer is no answer of an API server')
}

function toldAs(error: unknown, object: ReachedObject): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof ConnectionError || error instanceof BrokenAnswer) {
    return serviceUnavailable(`the ${inWords(object)} cannot be reached: ${error.message}`, 1)
  }
  return error
}
