import type { UserInfo } from '../../api/access.ts'
import { badRequest, methodNotAllowed, tooManyRequests, unauthorized, unsupportedMediaType } from '../../api/error.ts'
import type { Authenticator } from '../../auth/contract.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { parseJson } from '../../base/json/parse.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'
import { networkOf } from '../../base/network/network-of.ts'
import { contentTypeOf } from '../bodies/body.ts'
import { authenticateToken, become, sourceOf, unavailableFor } from '../callers/authenticate.ts'
import type { BegunSession, EnteredUser, RedeemedCode, Sessions, SignOn } from '../contract.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit, Response } from '../http.ts'
import type { PipelineStep } from '../pipeline.ts'
import { jsonResponse, withHeaders } from '../responses/responses.ts'
import { endedSessionCookie, formerCookieHeaders, printSessionCookie } from './cookie.ts'
import { readSession } from './halves.ts'
import { requireNotCrossOrigin } from './same-origin.ts'
import { exchangePath, sessionPath, tokenPath } from './session-path.ts'
import { exchangeToken } from './token-exchange.ts'

export interface SessionEndpointParts {
  readonly authenticator: Authenticator
  readonly clock: Clock
  readonly readBody: (exchange: Exchange, limit: BodyLimit) => Promise<Buffer>
  readonly sessions: Sessions
  /** Absent: no identity providers are configured. */
  readonly signOn?: Pick<SignOn, 'redeem' | 'exchange'> | undefined
  readonly requireAuditOf: RequireAuditOf
}

interface Parts extends SessionEndpointParts {
  /** How many codes each network has shown. */
  readonly codes: LeakyBuckets
}

/** Throws or rejects when the request could not be recorded. */
export type RequireAuditOf = (exchange: Exchange) => undefined | Promise<undefined>

const paths: ReadonlySet<string> = new Set([sessionPath, tokenPath, exchangePath])
/** As for the pages of sign-ins: each code is looked up in the store, before anything is known of who shows it. */
const codesOfNetwork = { burst: 300, refillMs: 25, most: 10_000 }
/** Small, because the sender is not authenticated yet. */
const bodyLimit: BodyLimit = { maxBytes: 16 * 1024, timeoutMs: 5_000 }

/**
 * `POST /auth/session` exchanges an access key, or the code of a sign-in, for a session. One half of the session is set
 * as a cookie that no script can read, the other is in the answer. `GET` reports whose session it is, and `DELETE` ends
 * it. Runs before authentication: a user whose session has ended must be able to get a new one.
 */
export function sessionEndpoint(options: SessionEndpointParts): PipelineStep {
  const parts: Parts = { ...options, codes: new LeakyBuckets({ clock: options.clock, ...codesOfNetwork }) }
  return (exchange) => {
    const { path } = exchange.info
    if (exchange.onward !== undefined || !paths.has(path)) return
    requireNotCrossOrigin(exchange.request)
    if (path === exchangePath) return exchangeToken(exchange, parts)
    if (path === tokenPath) return issue(exchange, parts)
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

/** A new sign-in ends the previous session. */
async function begin(exchange: Exchange, parts: Parts): Promise<Response> {
  const { sessions, clock } = parts
  const { halves, user, latestEndMs } = await begun(exchange, await readShown(exchange, parts), parts)
  await endSession(exchange, sessions)
  become(exchange, user)
  const cookie = printSessionCookie(halves.handle, Math.floor((latestEndMs - clock.now()) / 1000))
  return answer(exchange, { ...sessionOf(user, sessions), counterpart: halves.counterpart }, cookie)
}

async function begun(exchange: Exchange, shown: Shown, parts: Parts): Promise<BegunSession> {
  const { sessions } = parts
  const source = sourceOf(exchange)
  if (shown.form === 'code') return beginSignedOn(exchange, shown, parts)
  const { accessKey: token } = shown
  await authenticateToken(parts.authenticator, exchange, token)
  exchange.isAuthorized = true
  await parts.requireAuditOf(exchange)
  return sessions.begin({ user: exchange.user, token, source })
}

async function beginSignedOn(exchange: Exchange, shown: ShownCode, parts: Parts): Promise<BegunSession> {
  const entered = await redeemed(exchange, shown, 'session', parts)
  if (entered === 'pending') throw unauthorized('the sign-in is not finished')
  return parts.sessions.beginSignedOn(entered, sourceOf(exchange))
}

/** `POST /auth/token`: exchanges the code of a program, which has no use for a session, for an access key. */
async function issue(exchange: Exchange, parts: Parts): Promise<Response> {
  if (exchange.request.method !== 'POST') throw methodNotAllowed()
  const shown = await readShown(exchange, parts)
  if (shown.form !== 'code') throw badRequest('the request body must be JSON with a "code" and a "verifier"')
  const entered = await redeemed(exchange, shown, 'key', parts)
  if (entered === 'pending') return pending(exchange)
  return answer(exchange, await parts.sessions.issueSignedOn(entered, sourceOf(exchange)))
}

/** Not an error: the user has not finished signing in. */
function pending(exchange: Exchange): Response {
  exchange.isAuthorized = true
  exchange.isOpenToAll = true
  return jsonResponse(202, { state: 'pending' })
}

/** The user who signed in, by the resulting code. */
async function redeemed(
  exchange: Exchange,
  { code, verifier }: ShownCode,
  use: RedeemedCode['use'],
  { signOn, requireAuditOf, codes }: Parts,
): Promise<EnteredUser | 'pending'> {
  const waitMs = codes.add(networkOf(sourceOf(exchange).address, 48))
  if (waitMs > 0) throw tooManyRequests('too many codes were shown from this network', Math.ceil(waitMs / 1000))
  const entered = await signOn?.redeem({ code, verifier, use })
  if (entered === 'pending') return entered
  if (entered === undefined) throw unauthorized('the code is not valid, was used already, or is too old: sign in again')
  exchange.isAuthorized = true
  exchange.decision = `${entered.user} has signed in by the connector ${entered.signedOn.connector}`
  await requireAuditOf(exchange)
  return entered
}

/** Having no session is an answer, not an error: a page asks before it knows. The cookie may belong to another page. */
async function tell(exchange: Exchange, { sessions }: SessionEndpointParts): Promise<Response> {
  exchange.isAuthorized = true
  exchange.isOpenToAll = true
  const user = await signedIn(exchange, sessions)
  if (user === undefined) return answer(exchange, {})
  become(exchange, user)
  return answer(exchange, sessionOf(user, sessions))
}

async function end(exchange: Exchange, { sessions, requireAuditOf }: SessionEndpointParts): Promise<Response> {
  exchange.isAuthorized = true
  await requireAuditOf(exchange)
  const user = await endSession(exchange, sessions)
  if (user !== undefined) become(exchange, user)
  return answer(exchange, {}, endedSessionCookie)
}

/** Ends the session that the request came with, and returns its user. */
async function endSession(exchange: Exchange, sessions: Sessions): Promise<UserInfo | undefined> {
  const user = await signedIn(exchange, sessions)
  if (user?.credential !== undefined) await sessions.end(user.credential)
  return user
}

/** Undefined: the request came without a session, or with one that has ended. */
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

/** What a client presents to sign in. */
type Shown = { readonly form: 'key'; readonly accessKey: string } | ShownCode

/** The code of a sign-in at an identity provider. */
interface ShownCode {
  readonly form: 'code'
  readonly code: string
  readonly verifier: string
}

/** No message repeats parts of the body. */
async function readShown(exchange: Exchange, { readBody }: SessionEndpointParts): Promise<Shown> {
  if (contentTypeOf(exchange) !== 'application/json') throw unsupportedMediaType(['application/json'])
  const body = await readBody(exchange, bodyLimit)
  const value = parsed(body)
  const { accessKey, code, verifier } = asMembers(value)
  if (typeof accessKey === 'string' && accessKey !== '') return { form: 'key', accessKey }
  if (typeof code === 'string' && typeof verifier === 'string') return { form: 'code', code, verifier }
  throw badRequest('the request body must be JSON with an "accessKey", or with a "code" and a "verifier"')
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
