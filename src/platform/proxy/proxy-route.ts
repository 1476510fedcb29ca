import type { Readable } from 'node:stream'
import { ApiError, serviceUnavailable, unreachable } from '../../api/error.ts'
import { annotationsHeader } from '../../api/link.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { giveUpAnswer, streamOf } from '../../client/forward/give-up.ts'
import { readAnnotations } from '../../server/audit-annotations.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange, ForwardTarget } from '../../server/exchange.ts'
import { isLongRunning } from '../../server/fairness/long-running.ts'
import type { Response } from '../../server/http.ts'
import { BrokenAnswer, passedAnswer } from '../../server/onward/answer.ts'
import { passedAnswerHeaders, withoutServerWords } from '../../server/onward/answer-headers.ts'
import { cutBy } from '../../server/onward/cuts.ts'
import { bodyToPass, requireKnownUpgrade, requirePlausible, revocationOf } from '../../server/onward/passed-exchange.ts'
import { askingForJson, passedRequestHeaders, withBodyOf } from '../../server/onward/passed-request.ts'
import { withTrace } from '../../server/onward/passed-trace.ts'
import { passedWatch } from '../../server/onward/passed-watch.ts'
import { PendingRequests } from '../../server/onward/pending-requests.ts'
import type { RequestInfo } from '../../server/request/request-info.ts'
import { requireMayActAs } from './account-inside.ts'
import { type AskUpstream, askUpstream } from './ask-upstream.ts'
import { impersonationHeaders } from './impersonation.ts'
import { type LimitsOf, withoutLastingCredentials } from './lasting-credentials.ts'
import type { OpenRights } from './open-rights.ts'
import { type ReachedObject, reachedObject, reachedObjectText } from './reached-object.ts'
import { scopedCreation } from './scoped-creation.ts'
import { type Sent, scopedSelfReviews } from './self-reviews.ts'
import { type RouteParts, routeTo } from './upstream-route.ts'

export interface ProxyParts extends RouteParts {
  /** Aborts when the server is about to stop. */
  readonly stopping: AbortSignal
  /** The limits of a key. */
  readonly limitsOf: LimitsOf
  readonly openRights: OpenRights
}

/** A quarter of the requests that the server processes at the same time. */
const mostUnanswered = 200

/** Routes requests for APIs behind the platform, which have been authenticated, and authorized with their target. */
export function proxyRoute(parts: ProxyParts): ExtraRoute {
  const unanswered = new PendingRequests(mostUnanswered)
  const ways: Ways = { ...parts, unanswered, ask: askUpstream(parts) }
  const checked = withoutLastingCredentials(parts.limitsOf, (...asked) => passOn(ways, ...asked))
  const environment = { managementGroup: parts.managementGroup, isClusterScoped: () => undefined }
  const pass = scopedSelfReviews(environment, scopedCreation(checked))
  return (asked) => {
    const { onward } = asked
    asked.mayUpgrade = onward !== undefined
    return onward && ((exchange) => pass(exchange, onward))
  }
}

interface Ways extends ProxyParts {
  readonly unanswered: PendingRequests
  readonly ask: AskUpstream
}

async function passOn(ways: Ways, exchange: Exchange, onward: ForwardTarget, sent?: Sent): Promise<Response> {
  const object = reachedObject(onward.target)
  if (object === undefined) throw new Error('A request for the platform itself was to be passed on.')
  requireKnownUpgrade(exchange)
  const { forwarder, groups, roles } = await routeTo(ways, exchange.user, onward.target, exchange.info)
  const rights = isLongRunning(exchange) ? ways.openRights.of(exchange.user, object, roles) : undefined
  const ended = rights === undefined ? [] : [rights.ended]
  const cuts = [exchange.request.signal, ways.stopping, ...revocationOf(exchange), ...ended]
  // A stream may stay unanswered for long, and one caller may have hundreds of them, so streams are not counted.
  const answered = isLongRunning(exchange) ? () => {} : ways.unanswered.enter(reachedObjectText(object))
  // The request body ends with the key too: otherwise a slow upload would be carried out without a valid key.
  const givenUp = new AbortController()
  const forget = cutBy(cuts, () => givenUp.abort())
  try {
    await requireMayActAs(ways.ask, exchange.user, onward.target)
    const answer = await forwarder.forward(requestOf(exchange, onward, groups, givenUp.signal, sent))
    if (rights !== undefined) whenClosed(streamOf(answer), rights.forget)
    const isOfProgram = isAnsweredByProgram(exchange.info)
    if (answer.form !== 'upgraded' && answer.status === 401 && !isOfProgram) throw refusedInside(answer, object)
    requirePlausible(answer, exchange.request)
    if (onward.target.kind === 'virtual-cluster') takeAnnotations(answer, exchange)
    const passed = await passedAnswer(answer, exchange.request.method, cuts, isOfProgram ? headersOfProgram : undefined)
    return exchange.isWatch ? passedWatch(passed) : passed
  } catch (error) {
    rights?.forget()
    throw toldAs(error, object)
  } finally {
    forget()
    answered()
  }
}

function whenClosed(stream: Readable, act: () => void): void {
  if (stream.closed) act()
  else stream.once('close', act)
}

/** Annotations from the admission of a virtual cluster are claims of that cluster; the audit line names it. */
function takeAnnotations({ headers }: ForwardAnswer, exchange: Exchange): void {
  const at = headers.indexOf(annotationsHeader)
  if (at < 0 || at % 2 !== 0) return
  for (const [key, value] of readAnnotations(headers[at + 1] ?? '')) exchange.annotate(key, value)
}

const programs: ReadonlySet<string> = new Set(['pods', 'services', 'nodes'])

/** Behind a proxy of the API server, a user's program answers, whose status says nothing about the platform. */
function isAnsweredByProgram(info: RequestInfo): boolean {
  return info.form === 'resource' && info.group === '' && info.subresource === 'proxy' && programs.has(info.resource)
}

function headersOfProgram(flat: readonly string[]): string[] {
  return passedAnswerHeaders(withoutServerWords(flat))
}

function requestOf(
  exchange: Exchange,
  { url }: ForwardTarget,
  groups: readonly string[],
  signal: AbortSignal,
  sent?: Sent,
): ForwardRequest {
  const { request, auditId, user } = exchange
  const passed = withTrace(passedRequestHeaders(request.rawHeaders, request.upgrade !== undefined), exchange)
  const headers = sent?.wantsJson === true ? askingForJson(passed) : passed
  headers.push('audit-id', auditId, ...impersonationHeaders(user, groups))
  const { method, upgrade } = request
  const body = sent?.body ?? bodyToPass(exchange)
  const length = Buffer.isBuffer(body) ? body.length : 0
  const isAsItComes = sent === undefined && isLongRunning(exchange)
  const all = isAsItComes ? headers : withBodyOf(headers, length, sent?.contentType)
  return { method, url, headers: all, upgrade: sent === undefined ? upgrade : undefined, body, signal }
}

/** The caller has been authenticated, so the upstream is refusing the credentials of the platform. */
function refusedInside(answer: ForwardAnswer, object: ReachedObject): ApiError {
  giveUpAnswer(answer)
  return unreachable(`the ${reachedObjectText(object)} does not accept the credentials it is reached with`)
}

function toldAs(error: unknown, object: ReachedObject): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof ConnectionError || error instanceof BrokenAnswer) {
    return serviceUnavailable(`the ${reachedObjectText(object)} cannot be reached: ${error.message}`, 1)
  }
  return error
}
