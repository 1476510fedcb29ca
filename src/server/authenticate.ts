import { anonymousUser, type UserInfo } from '../api/access.ts'
import { tooManyRequests, unauthorized } from '../api/error.ts'
import type { AuthenticationResult, Authenticator } from '../auth/contract.ts'
import type { Exchange } from './exchange.ts'
import type { CertificateSubject } from './http.ts'

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

export function authenticateBy(authenticator: Authenticator): (exchange: Exchange) => undefined | Promise<undefined> {
  return (exchange) => {
    const { certificateSubject, headers } = exchange.request
    if (certificateSubject !== undefined) return become(exchange, certificateUser(certificateSubject))
    const credential = readCredential(headers.authorization)
    if (credential.form === 'malformed') exchange.warn(extraSpaceWarning)
    if (credential.form !== 'bearer') return become(exchange, anonymousUser)
    const source = { address: exchange.request.remoteAddress, userAgent: headers['user-agent'] ?? '' }
    const result = authenticator.authenticateToken(credential.token, undefined, source)
    if (!(result instanceof Promise)) return accept(exchange, result)
    return result.then((late) => accept(exchange, late))
  }
}

function accept(exchange: Exchange, result: AuthenticationResult): undefined {
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
  }
}

function refusalDetails(reason: string | undefined, message: string) {
  return reason === undefined ? undefined : { causes: [{ reason, message }] }
}

function certificateUser({ commonName, organizations }: CertificateSubject): UserInfo {
  return { name: commonName, groups: [...organizations, 'system:authenticated'] }
}
