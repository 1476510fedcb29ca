import { ApiError, internalError } from '../../api/error.ts'
import { holdsKey, pathWithoutKeys, withoutKeys } from '../../auth/keys/redact.ts'
import type { Log } from '../../base/log.ts'
import { askedVersion } from '../discovery/asked-version.ts'
import { valueResponse } from '../encode/value.ts'
import type { Exchange } from '../exchange.ts'
import { headerOf, type Response } from '../http.ts'
import { negotiateError } from '../request/negotiate.ts'
import { requestOver } from '../request/request-over.ts'
import { textResponse, withHeaders } from '../responses/responses.ts'
import { withoutBodyParts } from './hide-body.ts'

/**
 * The only place where a refusal becomes a response. Any other error is a defect: it is logged and answered with a 500,
 * unless it says that the caller has gone, which callers could otherwise fill the log with.
 */
export function errorResponse(error: unknown, exchange: Exchange, log: Log): Response {
  const told = error instanceof ApiError ? error : defect(error, exchange, log)
  const refusal = withoutKeyValues(exchange.hidesBody ? withoutBodyParts(told, exchange.body) : told)
  if (refusal.code === 403) noteRefusal(refusal, exchange)
  if (refusal.code === 403 && isReadAsText(exchange)) return textResponse(403, `${refusal.message}\n`)
  const response = valueResponse(refusal.code, refusal.status, negotiateError(exchange))
  const headers = extraHeaders(refusal, exchange)
  return headers.length === 0 ? response : withHeaders(response, headers)
}

/** Where client-go asks for the aggregated discovery, it decodes no Status, and shows "unknown" in place of its message. */
function isReadAsText({ request }: Exchange): boolean {
  return askedVersion(headerOf(request, 'accept') ?? '') !== undefined
}

/** The reason why the authorization allowed the request no longer matters. */
function noteRefusal({ layer, message }: ApiError, exchange: Exchange): void {
  exchange.layer = layer
  if (!exchange.isAuthorized) return
  exchange.isRefused = true
  exchange.decision = message
}

function defect(error: unknown, exchange: Exchange, log: Log): ApiError {
  if (error !== requestOver) {
    log.error('request failed unexpectedly', {
      error,
      method: exchange.request.method,
      path: pathWithoutKeys(exchange.info.path),
      auditId: exchange.auditId,
    })
  }
  return internalError('the server could not finish the request')
}

function extraHeaders({ code, status }: ApiError, exchange: Exchange): readonly string[] {
  const retryAfter = status.details?.retryAfterSeconds
  return [
    ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
    ...(code === 403 && !exchange.isAuthorized ? ['X-Content-Type-Options', 'nosniff'] : []),
  ]
}

/** The refusal without values of access keys: refusals name what was requested, which may be a key. */
function withoutKeyValues(error: ApiError): ApiError {
  const text = JSON.stringify(error.status)
  return holdsKey(text) ? new ApiError(JSON.parse(withoutKeys(text)), error.layer) : error
}
