import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import { auditRecord } from '../audit-record.ts'
import type { AuditRecord } from '../contract.ts'
import { Exchange } from '../exchange.ts'
import type { Fairness } from '../fairness/fairness.ts'
import type { Request, Response } from '../http.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import { type NamedStep, runSteps } from '../pipeline.ts'
import { giveUpLate } from '../responses/late-response.ts'
import { beginSpan, endSpan, type RequestTracing } from '../tracing/trace-exchange.ts'
import type { WaitingRequests } from '../waiting.ts'
import { errorResponse } from './errors.ts'

/** Turns a request into its response: called by tests, and connected to the sockets. */
export type AnswerRequest = (request: Request, send: Send) => void

/** Called once for each request, and once more when the answer cannot be sent. */
export type Send = (exchange: Exchange, response: Response) => void

export interface AnswerParts {
  readonly steps: readonly NamedStep[]
  readonly waiting: WaitingRequests
  readonly fairness: Fairness
  readonly metrics: RequestMetrics
  readonly clock: Clock
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
  readonly audit: ((record: AuditRecord) => void) | undefined
  readonly tracing?: RequestTracing | undefined
}

export function createAnswer(parts: AnswerParts): AnswerRequest {
  const { steps, waiting, fairness, clock, elapsed, random, log, tracing } = parts

  const finish = (exchange: Exchange, response: Response, send: Send) => {
    exchange.isOver = true
    record(parts, exchange, response.status)
    if (tracing !== undefined) endSpan(tracing, exchange, response.status)
    try {
      send(exchange, fairness.release(exchange, response))
    } catch (error) {
      sendDefect(error, exchange, send)
    }
  }

  /** An answer that cannot be sent must not affect others. */
  const sendDefect = (error: unknown, exchange: Exchange, send: Send) => {
    try {
      send(exchange, errorResponse(error, exchange, log))
    } catch (second) {
      log.error('an answer could not be sent', { error: second, auditId: exchange.auditId })
    }
  }

  const finishLater = (exchange: Exchange, response: Promise<Response>, send: Send) => {
    let isFinished = false
    const once = (result: Response) => {
      if (isFinished) return giveUpLate(result)
      isFinished = true
      stopWaiting()
      finish(exchange, result, send)
    }
    const fail = (error: unknown) => once(errorResponse(error, exchange, log))
    const stopWaiting = exchange.isWatch ? () => {} : waiting.add(exchange, fail)
    response.then(once, fail)
  }

  /** An answer that was ready before the request was admitted still waits for its caller's turn. */
  const inTurn = (exchange: Exchange, response: Response): Response | Promise<Response> => {
    const wait = exchange.flow === undefined ? fairness.turn(exchange) : undefined
    return wait === undefined ? response : wait.then(() => response)
  }

  const answered = (exchange: Exchange): Response | Promise<Response> => {
    const refused = (error: unknown) => inTurn(exchange, errorResponse(error, exchange, log))
    try {
      const response = runSteps(steps, exchange)
      if (!(response instanceof Promise)) return inTurn(exchange, response)
      return response.then((late) => inTurn(exchange, late), refused)
    } catch (error) {
      return refused(error)
    }
  }

  const begin = (request: Request, send: Send) => {
    const exchange = new Exchange(request, auditIdOf(request, random), { atMs: clock.now(), elapsedMs: elapsed.now() })
    if (tracing !== undefined) beginSpan(tracing, exchange)
    const response = answered(exchange)
    if (response instanceof Promise) finishLater(exchange, response, send)
    else finish(exchange, response, send)
  }

  return (request, send) => fairness.intake.take(request, () => begin(request, send))
}

const longestAuditId = 128

/** Uses the client's id, so that it can find its request in the log. */
function auditIdOf({ headers }: Request, random: Random): string {
  const given = headers['audit-id']
  return typeof given === 'string' && given !== '' && given.length <= longestAuditId ? given : random.uuid()
}

const knownVerbs: ReadonlySet<string> = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['head', 'post', 'put', 'options'],
])

function record({ metrics, elapsed, audit }: AnswerParts, exchange: Exchange, code: number): void {
  const tookMs = elapsed.now() - exchange.received.elapsedMs
  const verb = knownVerbs.has(exchange.info.verb) ? exchange.info.verb : 'other'
  metrics.record(verb, exchange.resourceLabel, code, tookMs)
  audit?.(auditRecord(exchange, code, exchange.received.atMs + Math.round(tookMs)))
}
