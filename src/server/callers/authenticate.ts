import { anonymousUser, type UserInfo } from '../../api/access.ts'
import { type ApiError, serviceUnavailable, tooManyRequests, unauthorized } from '../../api/error.ts'
import type { AuthenticationResult, Authenticator, TokenSource } from '../../auth/contract.ts'
import type { Sessions } from '../contract.ts'
import type { Exchange } from '../exchange.ts'
import type { CertificateSubject, Request } from '../http.ts'
import { counterpartHeader, readSession } from '../session/halves.ts'
import { requireSameOrigin } from '../session/same-origin.ts'
import { takesSession } from '../session/session-path.ts'

const extraSpaceWarning =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

/** The extra key under which Kubernetes reports the credential of a user. */
const credentialId = 'authentication.kubernetes.io/credential-id'

export type PresentedCredential =
  | { readonly form: 'none' }
  | { readonly form: 'malformed' }
  | { readonly form: 'bearer'; readonly token: string }

/** Only bearer tokens are credentials here; other schemes are ignored. */
export function readCredential(authorization: string | undefined): PresentedCredential {
  if (authorization === undefined) return { form: 'none' }
  const header = authorization.trim()
  const space = header.indexOf(' ')
  if (space < 0 || header.slice(0, space).toLowerCase() !== 'bearer') return { form: 'none' }
  const token = header.slice(space + 1)
  return token.startsWith(' ') ? { form: 'malformed' } : { form: 'bearer', token }
}

export interface AuthenticateOptions {
  /** Lets a browser authenticate by a session; see `sessionEndpoint`. */
  readonly sessions?: Pick<Sessions, 'authenticate'> | undefined
}

/**
 * A client certificate takes precedence. If it proves nothing, a token or session decides; without one the request is
 * refused, and the client is not treated as a stranger.
 */
export function authenticateBy(
  authenticator: Authenticator,
  { sessions }: AuthenticateOptions = {},
): (exchange: Exchange) => undefined | Promise<undefined> {
  return (exchange) => {
    const { peer, headers } = exchange.request
    const subject = peer.certificateSubject
    const hasEnded = (subject?.endsAtMs ?? Number.POSITIVE_INFINITY) <= exchange.received.atMs
    if (subject !== undefined && !hasEnded) return become(exchange, certificateUser(subject))
    const credential = readCredential(headers.authorization)
    if (credential.form === 'malformed') exchange.warn(extraSpaceWarning)
    if (credential.form === 'bearer') return authenticateToken(authenticator, exchange, credential.token)
    if (sessions !== undefined && mayBeSession(exchange.request)) return authenticateSession(sessions, exchange)
    if (hasEnded || peer.refusedCertificate !== undefined) throw unauthorized()
    return become(exchange, anonymousUser)
  }
}

/** The caller is the user the token belongs to. */
export function authenticateToken(
  authenticator: Authenticator,
  exchange: Exchange,
  token: string,
): undefined | Promise<undefined> {
  return acceptNowOrLater(exchange, authenticator.authenticateToken(token, undefined, sourceOf(exchange)))
}

export function sourceOf({ request: { clientAddress, headers } }: Exchange): TokenSource {
  return { address: clientAddress, userAgent: headers['user-agent'] ?? '' }
}

/** Only for requests without other credentials. */
function mayBeSession({ headers, url }: Request): boolean {
  return headers[counterpartHeader] !== undefined && headers.authorization === undefined && takesSession(url)
}

/** The caller is the user whose session both halves belong to. A request without the page's half is anonymous. */
function authenticateSession(
  sessions: Pick<Sessions, 'authenticate'>,
  exchange: Exchange,
): undefined | Promise<undefined> {
  const session = readSession(exchange.request)
  if (session.form === 'none') return become(exchange, anonymousUser)
  requireSameOrigin(exchange.request)
  if (session.form === 'malformed') throw unauthorized()
  return acceptNowOrLater(exchange, sessions.authenticate(session.halves, sourceOf(exchange)))
}

function acceptNowOrLater(
  exchange: Exchange,
  result: AuthenticationResult | Promise<AuthenticationResult>,
): undefined | Promise<undefined> {
  return result instanceof Promise ? result.then((late) => accept(exchange, late)) : accept(exchange, result)
}

function accept(exchange: Exchange, result: AuthenticationResult): undefined {
  if (result.outcome === 'refused') exchange.refusedKey = result.key
  become(exchange, userOf(result))
  if (result.outcome === 'authenticated' && result.warning !== undefined) exchange.warn(result.warning)
}

/** Sets both the caller and the acting user. */
export function become(exchange: Exchange, user: UserInfo): undefined {
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

/** The client that presented the token should retry, here or elsewhere. */
export function unavailableFor(result: Extract<AuthenticationResult, { readonly outcome: 'unavailable' }>): ApiError {
  const { message, causeReason: reason, retryAfterSeconds } = result
  return serviceUnavailable(message, retryAfterSeconds, [{ reason, message }])
}

function refusalDetails(reason: string | undefined, message: string) {
  return reason === undefined ? undefined : { causes: [{ reason, message }] }
}

function certificateUser({ commonName, organizations, fingerprint }: CertificateSubject): UserInfo {
  const user = { name: commonName, groups: [...organizations, 'system:authenticated'] }
  return fingerprint === undefined ? user : { ...user, extra: { [credentialId]: [`X509SHA256=${fingerprint}`] } }
}
