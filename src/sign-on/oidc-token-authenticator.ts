import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { UserInfo } from '../api/access.ts'
import type { AuthenticationResult, Authenticator } from '../auth/contract.ts'
import { unverifiedClaims } from '../auth/jwt.ts'
import { authenticatedGroup } from '../auth/static-tokens.ts'
import type { Clock } from '../base/clock.ts'
import { IssuerKeys } from './exchange/issuer-keys.ts'

/** Whose ID tokens a cluster takes, and what callers are called by them. */
export interface OidcTokenSettings {
  readonly issuer: string
  readonly clientId: string
  readonly usernameClaim: string
  readonly usernamePrefix: string
  readonly groupsClaim: string
  readonly groupsPrefix: string
  /** PEM. Absent: authorities of the system. */
  readonly caBundle?: string
}

export interface OidcTokenAuthenticator extends Authenticator {
  close(): Promise<void>
}

/** None of them is symmetric: what all can read signs nothing. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Failures of the issuer, and not of the token. */
const awayCodes: ReadonlySet<string> = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'])
/** What Kubernetes, or the platform that the cluster belongs to, gives a meaning to is given by no issuer. */
const reserved = ['system:', 'platform:']
const clockSkewSeconds = 60
const mostGroups = 500
const retryAfterSeconds = 5
const unknown: AuthenticationResult = { outcome: 'unknown' }

/** Takes ID tokens of one issuer, made for one client, as kube-apiserver does with its flags for OpenID Connect. */
export function createOidcTokenAuthenticator(settings: OidcTokenSettings, clock: Clock): OidcTokenAuthenticator {
  const { issuer, caBundle } = settings
  const keys = new IssuerKeys({ issuer, ...(caBundle === undefined ? {} : { caBundle }) })
  return {
    // As in Kubernetes, whom such a token is for is not what a TokenReview calls its audience.
    authenticateToken: (token) =>
      unverifiedClaims(token)?.iss === issuer ? checked(token, keys, settings, clock) : unknown,
    close: () => keys.close(),
  }
}

async function checked(
  token: string,
  keys: IssuerKeys,
  settings: OidcTokenSettings,
  clock: Clock,
): Promise<AuthenticationResult> {
  const { issuer, clientId } = settings
  try {
    const { payload } = await jwtVerify(token, await keys.keySet(), {
      issuer,
      audience: clientId,
      algorithms,
      clockTolerance: clockSkewSeconds,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'sub'],
    })
    const user = oidcUserInfo(payload, settings)
    return user === undefined ? refused : { outcome: 'authenticated', user }
  } catch (error) {
    const isOfToken = error instanceof errors.JOSEError && !awayCodes.has(error.code)
    return isOfToken ? refused : away
  }
}

const refused: AuthenticationResult = { outcome: 'refused', message: 'the ID token is not valid here, or too old' }
const away: AuthenticationResult = {
  outcome: 'unavailable',
  message: 'the keys of the issuer of the token cannot be read now: try again',
  causeReason: 'IssuerUnavailable',
  retryAfterSeconds,
}

/** Undefined for a token that names no user, or one that only the cluster itself may be. */
export function oidcUserInfo(payload: JWTPayload, settings: OidcTokenSettings): UserInfo | undefined {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = settings
  const claim = own(payload, usernameClaim)
  // As kube-apiserver: an address that its issuer has not verified proves nothing.
  if (usernameClaim === 'email' && payload.email_verified !== true) return undefined
  if (typeof claim !== 'string' || claim === '') return undefined
  const name = usernamePrefix + claim
  if (isReserved(name)) return undefined
  const told = own(payload, groupsClaim)
  const groups = (Array.isArray(told) ? told : [told])
    .filter((group) => typeof group === 'string' && group !== '')
    .slice(0, mostGroups)
    .map((group) => groupsPrefix + group)
    .filter((group) => !isReserved(group))
  return { name, groups: [...groups, authenticatedGroup] }
}

function isReserved(name: string): boolean {
  return reserved.some((prefix) => name.startsWith(prefix))
}

function own(payload: JWTPayload, claim: string): unknown {
  return Object.hasOwn(payload, claim) ? payload[claim] : undefined
}
