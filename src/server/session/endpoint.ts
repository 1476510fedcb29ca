import type { UserInfo } from '../../api/access.ts'
import { badRequest, isRefusal, methodNotAllowed, unsupportedMediaType } from '../../api/error.ts'
import type { Authenticator } from '../../auth/contract.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parseJson } from '../../base/json/parse.ts'
import { authenticateToken } from '../authenticate.ts'
import { contentTypeOf } from '../body.ts'
import type { Sessions } from '../contract.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit, Response } from '../http.ts'
import type { Step } from '../pipeline.ts'
import { jsonResponse, withHeaders } from '../responses.ts'
import { endedSessionCookie, printSessionCookie, readSessionCookie } from './cookie.ts'
import { requireNotCrossOrigin } from './same-origin.ts'
import { sessionPath } from './session-path.ts'

export interface SessionParts {
  readonly authenticator: Authenticator
  readonly clock: Clock
  readonly readBody: (exchange: Exchange, limit: BodyLimit) => Promise<Buffer>
  readonly sessions: Sessions
}

/** Nobody knows yet who sends it. */
const bodyLimit: BodyLimit = { maxBytes: 16 * 1024, timeoutMs: 5_000 }
const longestSessionSeconds = 12 * 3600

/**
 * `POST /auth/session` puts an access key into a cookie that no script can read, `GET` says whose it is, and `DELETE` takes
 * it out again. Comes before authentication: whoever has a session that is over has to get a new one.
 */
export function sessionEndpoint(parts: SessionParts): Step {
  return (exchange) => {
    if (exchange.onward !== undefined || exchange.info.path !== sessionPath) return
    requireNotCrossOrigin(exchange.request)
    switch (exchange.request.method) {
      case 'POST':
        return begin(exchange, parts)
      case 'GET':
        return tell(exchange, parts)
      case 'DELETE':
        return end(exchange)
      default:
        throw methodNotAllowed()
    }
  }
}

async function begin(exchange: Exchange, parts: SessionParts): Promise<Response> {
  const token = await readAccessKey(exchange, parts)
  await authenticateToken(parts.authenticator, exchange, token)
  exchange.isAuthorized = true
  const { user } = exchange
  const endMs = user.credential && parts.sessions.expiresAtMs(user.credential)
  const cookie = printSessionCookie(token, maxAgeSeconds(endMs, parts.clock.now()))
  return withHeaders(jsonResponse(200, sessionOf(user, endMs)), ['Set-Cookie', cookie])
}

/** Having no session is an answer, not an error: a page asks before it knows. */
async function tell(exchange: Exchange, parts: SessionParts): Promise<Response> {
  exchange.isAuthorized = true
  exchange.isOpenToAll = true
  const cookie = readSessionCookie(exchange.request.headers.cookie)
  if (cookie.form === 'none') return jsonResponse(200, {})
  if (cookie.form === 'malformed') return end(exchange)
  try {
    await authenticateToken(parts.authenticator, exchange, cookie.token)
  } catch (error) {
    if (isRefusal(error, 401)) return end(exchange)
    throw error
  }
  const { user } = exchange
  return jsonResponse(200, sessionOf(user, user.credential && parts.sessions.expiresAtMs(user.credential)))
}

function end(exchange: Exchange): Response {
  exchange.isAuthorized = true
  return withHeaders(jsonResponse(200, {}), ['Set-Cookie', endedSessionCookie])
}

/** No message repeats anything of the body. */
async function readAccessKey(exchange: Exchange, { readBody }: SessionParts): Promise<string> {
  if (contentTypeOf(exchange) !== 'application/json') throw unsupportedMediaType(['application/json'])
  const body = await readBody(exchange, bodyLimit)
  const value = parsed(body)
  const accessKey = isJsonObject(value) ? value.accessKey : undefined
  if (typeof accessKey === 'string' && accessKey !== '') return accessKey
  throw badRequest('the body of the request has to be JSON with an "accessKey"')
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8')).value
  } catch {
    return undefined
  }
}

function maxAgeSeconds(endMs: number | undefined, nowMs: number): number {
  if (endMs === undefined) return longestSessionSeconds
  return Math.min(Math.max(Math.floor((endMs - nowMs) / 1000), 0), longestSessionSeconds)
}

function sessionOf({ name, credential }: UserInfo, endMs: number | undefined) {
  return {
    user: name,
    ...(credential === undefined ? {} : { keyName: credential.keyName }),
    ...(endMs === undefined ? {} : { expiresAt: timestamp(endMs) }),
  }
}
