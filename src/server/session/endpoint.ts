import type { UserInfo } from '../../api/access.ts'
import { badRequest, methodNotAllowed, unsupportedMediaType } from '../../api/error.ts'
import type { Authenticator } from '../../auth/contract.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parseJson } from '../../base/json/parse.ts'
import { authenticateToken, become, sourceOf, unavailableFor } from '../authenticate.ts'
import { contentTypeOf } from '../body.ts'
import type { Sessions } from '../contract.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit, Response } from '../http.ts'
import type { Step } from '../pipeline.ts'
import { jsonResponse, withHeaders } from '../responses.ts'
import { endedSessionCookie, formerCookieHeaders, printSessionCookie } from './cookie.ts'
import { readSession } from './halves.ts'
import { requireNotCrossOrigin } from './same-origin.ts'
import { sessionPath } from './session-path.ts'

export interface SessionParts {
  readonly authenticator: Authenticator
  readonly clock: Clock
  readonly readBody: (exchange: Exchange, limit: BodyLimit) => Promise<Buffer>
  readonly sessions: Sessions
  readonly requireAuditOf: RequireAuditOf
}

/** Throws, or rejects, when the request could not be told of. */
export type RequireAuditOf = (exchange: Exchange) => undefined | Promise<undefined>

/** Nobody knows yet who sends it. */
const bodyLimit: BodyLimit = { maxBytes: 16 * 1024, timeoutMs: 5_000 }

/**
 * `POST /auth/session` exchanges an access key for a session, whose halves go into a cookie that no script can read and
 * into the answer; `GET` says whose session it is, and `DELETE` ends it. Comes before authentication: whoever has a
 * session that is over has to get a new one.
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
        return end(exchange, parts)
      default:
        throw methodNotAllowed()
    }
  }
}

/** Whoever signs in anew leaves nothing of the session before. */
async function begin(exchange: Exchange, parts: SessionParts): Promise<Response> {
  const { sessions, clock } = parts
  const token = await readAccessKey(exchange, parts)
  await authenticateToken(parts.authenticator, exchange, token)
  exchange.isAuthorized = true
  await parts.requireAuditOf(exchange)
  const { halves, user, latestEndMs } = await sessions.begin({ user: exchange.user, token, source: sourceOf(exchange) })
  await endSession(exchange, sessions)
  become(exchange, user)
  const cookie = printSessionCookie(halves.handle, Math.floor((latestEndMs - clock.now()) / 1000))
  return answer(exchange, { ...sessionOf(user, sessions), counterpart: halves.counterpart }, cookie)
}

/** Having no session is an answer, not an error: a page asks before it knows. The cookie may be that of another page. */
async function tell(exchange: Exchange, { sessions }: SessionParts): Promise<Response> {
  exchange.isAuthorized = true
  exchange.isOpenToAll = true
  const user = await signedIn(exchange, sessions)
  if (user === undefined) return answer(exchange, {})
  become(exchange, user)
  return answer(exchange, sessionOf(user, sessions))
}

async function end(exchange: Exchange, { sessions, requireAuditOf }: SessionParts): Promise<Response> {
  exchange.isAuthorized = true
  await requireAuditOf(exchange)
  const user = await endSession(exchange, sessions)
  if (user !== undefined) become(exchange, user)
  return answer(exchange, {}, endedSessionCookie)
}

/** Whose session the request came with, which is over now. */
async function endSession(exchange: Exchange, sessions: Sessions): Promise<UserInfo | undefined> {
  const user = await signedIn(exchange, sessions)
  if (user?.credential !== undefined) await sessions.end(user.credential)
  return user
}

/** Undefined: the request came with no session, or with one that is over. */
async function signedIn(exchange: Exchange, sessions: Sessions): Promise<UserInfo | undefined> {
  const session = readSession(exchange.request)
  if (session.form !== 'halves') return undefined
  const result = await sessions.authenticate(session.halves, sourceOf(exchange))
  if (result.outcome === 'unavailable') throw unavailableFor(result)
  return result.outcome === 'authenticated' ? result.user : undefined
}

function answer({ request }: Exchange, value: object, cookie?: string): Response {
  const headers = [
    ...formerCookieHeaders(request.headers.cookie),
    ...(cookie === undefined ? [] : ['Set-Cookie', cookie]),
  ]
  return withHeaders(jsonResponse(200, value), headers)
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

function sessionOf({ name, credential }: UserInfo, sessions: Sessions) {
  if (credential === undefined) return { user: name }
  const { keyName, startedWith } = credential
  const endMs = sessions.expiresAtMs(credential)
  return {
    user: name,
    keyName,
    ...(startedWith === undefined ? {} : { startedWith: startedWith.keyName }),
    ...(endMs === undefined ? {} : { expiresAt: timestamp(endMs) }),
  }
}
