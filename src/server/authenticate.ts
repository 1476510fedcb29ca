import { anonymousUser, type UserInfo } from '../api/access.ts'
import { type ApiError, serviceUnavailable, tooManyRequests, unauthorized } from '../api/error.ts'
import type { AuthenticationResult, Authenticator } from '../auth/contract.ts'
import type { Exchange } from './exchange.ts'
import type { CertificateSubject, Request } from './http.ts'
import { readSessionCookie } from './session/cookie.ts'
import { requireSameOrigin } from './session/same-origin.ts'
import { takesSession } from './session/session-path.ts'

const extraSpaceWarning =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

export type Credential =
  | { readonly form: 'none' }
  | { readonly form: 'malformed' }
  | { readonly form: 'bearer'; readonly token: string }

/** Only bearer tokens are credentials here; other schemes count as none. */
export function readCredential(authorization: string | undefined): Credential {
  if (authorization === undefined) return { form: 'none' }
  const header = authorization.trim()
  const space = header.indexOf(' ')
  if (space < 0 || header.slice(0, space).toLowerCase() !== 'bearer') return { form: 'none' }
  const token = header.slice(space + 1)
  return token.startsWith(' ') ? { form: 'malformed' } : { form: 'bearer', token }
}

export interface AuthenticateOptions {
  /** Whether a browser may say who it is by a cookie; see `sessionEndpoint`. */
  readonly withSessions?: boolean
}

export function authenticateBy(
  authenticator: Authenticator,
  { withSessions = false }: AuthenticateOptions = {},
): (exchange: Exchange) => undefined | Promise<undefined> {
  return (exchange) => {
    const { peer, headers } = exchange.request
    if (peer.certificateSubject !== undefined) return become(exchange, certificateUser(peer.certificateSubject))
    const credential = readCredential(headers.authorization)
    if (credential.form === 'malformed') exchange.warn(extraSpaceWarning)
    const bearer = credential.form === 'bearer' ? credential.token : undefined
    const token = bearer ?? (withSessions ? sessionToken(exchange.request) : undefined)
    return token === undefined ? become(exchange, anonymousUser) : authenticateToken(authenticator, exchange, token)
  }
}

/** Who presents the token is who asks. */
export function authenticateToken(
  authenticator: Authenticator,
  exchange: Exchange,
  token: string,
): undefined | Promise<undefined> {
  const { peer, headers } = exchange.request
  const source = { address: peer.remoteAddress, userAgent: headers['user-agent'] ?? '' }
  const result = authenticator.authenticateToken(token, undefined, source)
  if (!(result instanceof Promise)) return accept(exchange, result)
  return result.then((late) => accept(exchange, late))
}

/** Only of requests that say nothing else of who sends them. */
function sessionToken(request: Request): string | undefined {
  const { headers, url } = request
  if (headers.cookie === undefined || headers.authorization !== undefined || !takesSession(url)) return undefined
  const cookie = readSessionCookie(headers.cookie)
  if (cookie.form === 'none') return undefined
  requireSameOrigin(request)
  if (cookie.form === 'malformed') throw unauthorized()
  return cookie.token
}

function accept(exchange: Exchange, result: AuthenticationResult): undefined {
  if (result.outcome === 'refused') exchange.refusedKey = result.key
  become(exchange, userOf(result))
  if (result.outcome === 'authenticated' && result.warning !== undefined) exchange.warn(result.warning)
}

function become(exchange: Exchange, user: UserInfo): undefined {
  exchange.caller = user
  exchange.user = user
}

function userOf(result: AuthenticationResult): UserInfo {
  switch (result.outcome) {
    case 'authenticated':
      return result.user
    case 'unknown':
      throw unauthorized()
    case 'refused':
      if (result.retryAfterSeconds !== undefined) throw tooManyRequests(result.message, result.retryAfterSeconds)
      throw unauthorized(result.message, refusalDetails(result.causeReason, result.message))
    case 'unavailable':
      throw unavailableFor(result)
  }
}

/** Whoever presents the token should come back, here or elsewhere. */
export function unavailableFor(result: Extract<AuthenticationResult, { readonly outcome: 'unavailable' }>): ApiError {
  const { message, causeReason: reason, retryAfterSeconds } = result
  return serviceUnavailable(message, retryAfterSeconds, [{ reason, message }])
}

function refusalDetails(reason: string | undefined, message: string) {
  return reason === undefined ? undefined : { causes: [{ reason, message }] }
}

function certificateUser({ commonName, organizations }: CertificateSubject): UserInfo {
  return { name: commonName, groups: [...organizations, 'system:authenticated'] }
}
