import { errors, type JWTPayload, jwtVerify } from 'jose'
import { isJsonObject } from '../../base/json/member.ts'
import { printable } from '../claims/printable.ts'
import type { ProviderLogout } from '../contract.ts'
import type { IssuerKeys } from '../exchange/issuer-keys.ts'
import { SignOnFailure } from '../failure.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const types = ['logout+jwt', 'JWT', undefined]
/** Providers send one when it happens, and retry for a while. */
const longestAgeSeconds = 600
const longestText = 255

export interface LogoutTokenChecks {
  readonly keys: IssuerKeys
  readonly issuer: string
  readonly clientId: string
  readonly skewSeconds: number
  readonly nowMs: number
}

/** Rejects with `SignOnFailure` unless it is a recent logout token of this provider, for this platform. */
export async function readLogoutToken(token: string, checks: LogoutTokenChecks): Promise<ProviderLogout> {
  const { issuer, clientId, skewSeconds, nowMs } = checks
  const { payload, type } = await verified(token, checks)
  if (!types.includes(type)) throw untrusted('it is a token of another type')
  requireEvent(payload)
  const { sub, sid, jti, iat = 0 } = payload
  if (!isText(jti)) throw untrusted('it has no jti')
  if (sub === undefined) throw untrusted('it names a session alone (sid), and no user: have the provider send sub too')
  if (!isText(sub) || !(sid === undefined || isText(sid))) throw untrusted('its user or session is not a string')
  const endMs = (iat + longestAgeSeconds + skewSeconds) * 1000
  if (endMs <= nowMs) throw new SignOnFailure('expired', 'it is too old')
  const id = JSON.stringify([issuer, clientId, jti])
  return { userId: sub, id, endMs, ...(sid === undefined ? {} : { providerSession: sid }) }
}

async function verified(token: string, checks: LogoutTokenChecks) {
  const { keys, issuer, clientId, skewSeconds, nowMs } = checks
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys.keyOf, {
      issuer,
      audience: clientId,
      algorithms,
      clockTolerance: skewSeconds,
      currentDate: new Date(nowMs),
      maxTokenAge: longestAgeSeconds,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    return { payload, type: protectedHeader.typ }
  } catch (error) {
    const reason = error instanceof Error ? printable(error.message) : 'no answer'
    if (error instanceof errors.JOSEError) throw untrusted(reason)
    throw new SignOnFailure('unavailable', `the keys of the provider were not read: ${reason}`)
  }
}

/** An ID token must not pass as a logout token: it has a nonce, and no such event. */
function requireEvent({ events, nonce }: JWTPayload): void {
  if (nonce !== undefined) throw untrusted('it has a nonce, which a logout token must not have')
  if (!isJsonObject(events) || !isJsonObject(events[logoutEvent])) throw untrusted('it tells of no sign-out')
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestText
}

function untrusted(reason: string): SignOnFailure {
  return new SignOnFailure('untrusted', `the logout token is not taken: ${reason}`)
}
