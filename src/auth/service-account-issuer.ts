import type { Clock } from '../base/clock.ts'
import type { SigningKey } from '../base/keypair.ts'
import type { Random } from '../base/random.ts'
import { signJwt } from './jwt.ts'
import { type BoundObject, type ObjectIdentity, toJwtClaims } from './service-account-claims.ts'

export interface TokenGrant {
  readonly namespace: string
  readonly serviceAccount: ObjectIdentity
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
  readonly boundTo?: readonly BoundObject[]
}

export interface IssuedToken {
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number
}

export type TokenIssuer = (grant: TokenGrant) => Promise<IssuedToken>

interface IssuerOptions {
  readonly issuer: string
  readonly key: SigningKey
  readonly clock: Clock
  readonly random: Random
}

export function createTokenIssuer({ issuer, key, clock, random }: IssuerOptions): TokenIssuer {
  return async ({ namespace, serviceAccount, audiences, expirationSeconds, boundTo = [] }) => {
    const issuedAt = Math.floor(clock.now() / 1000)
    const expiresAt = issuedAt + expirationSeconds
    const times = { issuedAt, notBefore: issuedAt, expiresAt }
    const claims = { issuer, audiences, namespace, serviceAccount, boundTo, id: random.uuid(), ...times }
    return { token: await signJwt(toJwtClaims(claims), key), expiresAtMs: expiresAt * 1000 }
  }
}
