import { hash } from 'node:crypto'
import { createLocalJWKSet, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { OidcUser } from '../../auth/oidc-grants.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import { signingAlgorithm, userinfoAudience } from './endpoints.ts'
import type { SigningKeys } from './signing-keys.ts'

/** One type must not pass as the other, however similar they are. */
const types = { access: 'at+jwt', id: 'JWT' } as const

/** Marks access tokens that end with their refresh token. */
export const refreshableClaim = 'refreshable'

export interface TokenParts {
  readonly issuer: string
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly random: Random
}

/** The content of tokens. */
export interface TokenContent {
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly nonce: string
  /** Undefined: no longer known. */
  readonly authTimeMs: number | undefined
  readonly sid: string
  readonly user: OidcUser
  readonly ttlSeconds: number
  /** They were issued with a refresh token, and end with it. */
  readonly isRefreshable: boolean
}

export interface IssuedTokens {
  readonly accessToken: string
  readonly idToken: string
}

/** What an application learns about a user, within its scopes. */
export function userClaims(user: OidcUser, scopes: readonly string[]): Readonly<Record<string, unknown>> {
  const { uid, name, displayName, email, teams } = user
  return {
    sub: uid,
    ...(scopes.includes('profile') ? { name: displayName, preferred_username: name } : {}),
    ...(scopes.includes('email') && email !== '' ? { email, email_verified: false } : {}),
    ...(scopes.includes('groups') ? { groups: teams } : {}),
  }
}

export class ProviderTokens {
  readonly #parts: TokenParts

  constructor(parts: TokenParts) {
    this.#parts = parts
  }

  async issue(content: TokenContent): Promise<IssuedTokens> {
    const { issuer, random } = this.#parts
    const { clientId, scopes, nonce, authTimeMs, sid, user, ttlSeconds, isRefreshable } = content
    const known = { client_id: clientId, scope: scopes.join(' '), sid, username: user.name, jti: random.uuid() }
    const about = isRefreshable ? { ...known, [refreshableClaim]: true } : known
    const accessToken = await this.#signed(
      types.access,
      { ...about, sub: user.uid },
      userinfoAudience(issuer),
      ttlSeconds,
    )
    const claims = {
      ...userClaims(user, scopes),
      sid,
      at_hash: hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url'),
      ...(nonce === '' ? {} : { nonce }),
      ...(authTimeMs === undefined ? {} : { auth_time: Math.floor(authTimeMs / 1000) }),
    }
    return { accessToken, idToken: await this.#signed(types.id, claims, clientId, ttlSeconds) }
  }

  /** Undefined unless it is a valid access token of this provider. */
  accessClaims(token: string): Promise<JWTPayload | undefined> {
    const { issuer, clock } = this.#parts
    return this.#verified(token, types.access, userinfoAudience(issuer), new Date(clock.now()))
  }

  /** For an ID token of any age: it identifies a sign-in, and gives no access. */
  idClaims(token: string): Promise<JWTPayload | undefined> {
    return this.#verified(token, types.id, undefined, new Date(0))
  }

  async #signed(typ: string, claims: JWTPayload, audience: string, ttlSeconds: number): Promise<string> {
    const { issuer, keys, clock } = this.#parts
    const { kid, key } = await keys.current()
    const nowSeconds = Math.floor(clock.now() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: signingAlgorithm, typ, kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + ttlSeconds)
      .sign(key)
  }

  async #verified(
    token: string,
    typ: string,
    audience: string | undefined,
    currentDate: Date,
  ): Promise<JWTPayload | undefined> {
    const { issuer, keys } = this.#parts
    const published = createLocalJWKSet({ keys: [...(await keys.published())] })
    const options = { issuer, typ, algorithms: [signingAlgorithm], currentDate, requiredClaims: ['sub', 'exp', 'sid'] }
    try {
      const { payload } = await jwtVerify(token, published, audience === undefined ? options : { ...options, audience })
      return payload
    } catch {
      return undefined
    }
  }
}
