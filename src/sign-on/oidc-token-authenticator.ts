import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { UserInfo } from '../api/access.ts'
import type { AuthenticationResult, Authenticator } from '../auth/contract.ts'
import { unverifiedClaims } from '../auth/jwt.ts'
import { authenticatedGroup } from '../auth/static-tokens.ts'
import type { Clock } from '../base/clock.ts'
import { IssuerKeys } from './exchange/issuer-keys.ts'

/** Whose ID tokens a cluster accepts, and how they name callers. */
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

/** None of them is symmetric: a public key must not be able to sign. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** No issuer may assign names that have a meaning to Kubernetes or to the cluster's platform. */
const reserved = ['system:', 'platform:']
const clockSkewSeconds = 60
const mostGroups = 500
const retryAfterSeconds = 5
const unknown: AuthenticationResult = { outcome: 'unknown' }

/** Accepts ID tokens of one issuer for one client, like kube-apiserver with its OpenID Connect flags. */
export function createOidcTokenAuthenticator(settings: OidcTokenSettings, clock: Clock): OidcTokenAuthenticator {
  const { issuer, caBundle } = settings
  const keys = new IssuerKeys({ issuer, ...(caBundle === undefined ? {} : { caBundle }) }, clock)
  return {
    // As in Kubernetes, the client of such a token is not the audience of a TokenReview.
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
    const { payload } = await jwtVerify(token, keys.keyOf, {
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
    return error instanceof errors.JOSEError ? refused : away
  }
}

const refused: AuthenticationResult = { outcome: 'refused', message: 'the ID token is not valid here, or too old' }
const away: AuthenticationResult = {
  outcome: 'unavailable',
  message: 'the keys of the issuer of the token cannot be read now: try again',
  causeReason: 'IssuerUnavailable',
  retryAfterSeconds,
}

/** Undefined for a token that names no user, or a user that is reserved for the cluster. */
export function oidcUserInfo(payload: JWTPayload, settings: OidcTokenSettings): UserInfo | undefined {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = settings
  const claim = own(payload, usernameClaim)
  // As in kube-apiserver: an address that its issuer has not verified proves nothing.
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
