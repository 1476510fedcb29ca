import type { Clock } from '../base/clock.ts'
import type { SigningKey } from '../base/keys/keypair.ts'
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

/** The signer; its key may change. */
export interface TokenSigner {
  readonly signing: SigningKey
  /** Called with the expiry of a token that is about to be signed with the key. */
  noteToken(expiresAtMs: number): void
}

interface IssuerOptions {
  readonly issuer: string
  readonly signer: TokenSigner
  readonly clock: Clock
  readonly random: Random
}

export function createTokenIssuer({ issuer, signer, clock, random }: IssuerOptions): TokenIssuer {
  return async ({ namespace, serviceAccount, audiences, expirationSeconds, boundTo = [] }) => {
    const issuedAt = Math.floor(clock.now() / 1000)
    const expiresAt = issuedAt + expirationSeconds
    const times = { issuedAt, notBefore: issuedAt, expiresAt }
    const claims = { issuer, audiences, namespace, serviceAccount, boundTo, id: random.uuid(), ...times }
    signer.noteToken(expiresAt * 1000)
    return { token: await signJwt(toJwtClaims(claims), signer.signing), expiresAtMs: expiresAt * 1000 }
  }
}
