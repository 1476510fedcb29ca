import { ApiError, timeout } from '../../api/error.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { giveUpAnswer, streamOf } from '../../client/forward/give-up.ts'
import { reasonOf } from '../../registry/aggregation/ask-api.ts'
import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import { remoteUserHeaders } from '../../registry/aggregation/remote-user.ts'
import type { ExtraRoute } from '../contract.ts'
import type { Exchange } from '../exchange.ts'
import { isLongRunning } from '../fairness/long-running.ts'
import type { Response } from '../http.ts'
import { passedAnswer } from '../onward/answer.ts'
import { plainAnswerHeaders } from '../onward/answer-headers.ts'
import { bodyToPass, requireKnownUpgrade, requirePlausible, revocationOf } from '../onward/passed-exchange.ts'
import { passedRequestHeaders, withBodyOf } from '../onward/passed-request.ts'
import { withTrace } from '../onward/passed-trace.ts'
import { passedWatch } from '../onward/passed-watch.ts'
import { PendingRequests } from '../onward/pending-requests.ts'
import { plainUrl } from '../onward/plain-url.ts'
import { textResponse } from '../responses/responses.ts'
import { AnswerDeadline } from './answer-deadline.ts'
import { askedApi, type FindAggregatedApi, segmentsToPass } from './asked-api.ts'

export interface AggregatedRouteParts {
  readonly find: FindAggregatedApi
  /** Aborts when the server is about to stop. */
  readonly stopping: AbortSignal
}

/** Limits of unanswered requests for one API and for all of them together, so that other requests keep room. */
const mostOfOne = 50
const mostOfAll = 100

/** Routes requests for APIs behind APIServices. They have been authenticated and authorized here. */
export function aggregatedRoute({ find, stopping }: AggregatedRouteParts): ExtraRoute {
  const pending = { ofOne: new PendingRequests(mostOfOne), ofAll: new PendingRequests(mostOfAll) }
  return (asked) => {
    const api = askedApi(asked, find)
    asked.mayUpgrade = api !== undefined
    return api && ((exchange) => passOn(api, exchange, pending, stopping))
  }
}

interface Pending {
  readonly ofOne: PendingRequests
  readonly ofAll: PendingRequests
}

async function passOn(
  api: AggregatedApi,
  exchange: Exchange,
  pending: Pending,
  stopping: AbortSignal,
): Promise<Response> {
  requireKnownUpgrade(exchange)
  if (!api.isAvailable) return textResponse(503, 'service unavailable\n')
  const cuts = [exchange.request.signal, stopping, ...revocationOf(exchange)]
  const isEndless = isLongRunning(exchange)
  const leave = isEndless ? () => {} : enterBoth(pending, api)
  const deadline = new AnswerDeadline(isEndless ? undefined : exchange.timeoutMs, cuts)
  try {
    const answer = await api.forward(requestOf(exchange, deadline.signal))
    requirePlausible(answer, exchange.request)
    if (isRedirect(answer)) {
      deadline.end()
      giveUpAnswer(answer)
      return textResponse(502, 'the backend attempted to redirect this request, which is not permitted')
    }
    if (isEndless) deadline.end()
    else deadline.follow(streamOf(answer))
    const passed = await passedAnswer(answer, exchange.request.method, cuts, plainAnswerHeaders)
    return exchange.isWatch ? passedWatch(passed) : passed
  } catch (error) {
    deadline.end()
    if (error instanceof ApiError) throw error
    if (deadline.isLate) throw timeout('request did not complete within the allotted timeout')
    return textResponse(503, `error trying to reach service: ${reasonOf(error)}\n`)
  } finally {
    leave()
  }
}

function isRedirect(answer: ForwardAnswer): boolean {
  if (answer.form === 'upgraded' || answer.status < 300 || answer.status > 399) return false
  return answer.headers.some((name, index) => index % 2 === 0 && name === 'location')
}

/** Takes a place among the requests for this API and one among all of them, or neither. */
function enterBoth({ ofOne, ofAll }: Pending, { name }: AggregatedApi): () => void {
  const leaveOne = ofOne.enter(`server of APIService ${name}`)
  try {
    const leaveAll = ofAll.enter('server of aggregated APIs')
    return () => {
      leaveOne()
      leaveAll()
    }
  } catch (error) {
    leaveOne()
    throw error
  }
}

function requestOf(exchange: Exchange, signal: AbortSignal): ForwardRequest {
  const { request, info, user, auditId } = exchange
  const { method, upgrade } = request
  const body = bodyToPass(exchange)
  const passed = withTrace(passedRequestHeaders(request.rawHeaders, upgrade !== undefined), exchange)
  const length = Buffer.isBuffer(body) ? body.length : 0
  const headers = isLongRunning(exchange) ? passed : withBodyOf(passed, length)
  const question = request.url.indexOf('?')
  const url = plainUrl(segmentsToPass(info), question < 0 ? '' : request.url.slice(question + 1))
  return { method, url, headers: [...headers, 'audit-id', auditId, ...remoteUserHeaders(user)], body, upgrade, signal }
}
