import { sign, verify } from 'node:crypto'
import { isJsonObject } from '../base/json/member.ts'
import type { SigningKey, VerifyingKey } from '../base/keypair.ts'

export type JwtClaims = Readonly<Record<string, unknown>>

export interface UnverifiedJwt {
  readonly keyId: string | undefined
  readonly claims: JwtClaims
  readonly signedText: string
  readonly signature: Buffer
}

/** Far above what a service account's token needs. */
const maxLength = 16_384

/** Signs with RS256, the only algorithm there is here: the header never chooses how a token is checked. */
export function signJwt(claims: JwtClaims, key: SigningKey): string {
  const signedText = `${encoded({ alg: 'RS256', kid: key.verifying.id })}.${encoded(claims)}`
  return `${signedText}.${sign('sha256', Buffer.from(signedText), key.privateKey).toString('base64url')}`
}

/** Undefined for whatever is not a compact RS256 token. Nothing in the result may be trusted before `isSignedBy`. */
export function parseJwt(token: string): UnverifiedJwt | undefined {
  if (token.length > maxLength) return undefined
  const parts = token.split('.')
  const [header, payload, signature] = parts
  if (parts.length !== 3 || header === undefined || payload === undefined || signature === undefined) return undefined
  const head = decoded(header)
  const claims = decoded(payload)
  const signatureBytes = bytes(signature)
  if (head === undefined || claims === undefined || signatureBytes === undefined) return undefined
  if (head.alg !== 'RS256' || Object.hasOwn(head, 'crit')) return undefined
  const keyId = typeof head.kid === 'string' ? head.kid : undefined
  return { keyId, claims, signedText: `${header}.${payload}`, signature: signatureBytes }
}

/** A token that names its key is checked with that key alone. */
export function isSignedBy(jwt: UnverifiedJwt, keys: readonly VerifyingKey[]): boolean {
  const text = Buffer.from(jwt.signedText)
  const candidates = jwt.keyId === undefined ? keys : keys.filter((each) => each.id === jwt.keyId)
  return candidates.some((each) => verify('sha256', text, each.publicKey, jwt.signature))
}

function encoded(value: JwtClaims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decoded(segment: string): JwtClaims | undefined {
  const buffer = bytes(segment)
  if (buffer === undefined) return undefined
  try {
    const value: unknown = JSON.parse(buffer.toString('utf8'))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Only the canonical spelling, so that a token has one form. */
function bytes(segment: string): Buffer | undefined {
  const buffer = Buffer.from(segment, 'base64url')
  return buffer.length > 0 && buffer.toString('base64url') === segment ? buffer : undefined
}
