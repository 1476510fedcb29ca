import { compactVerify, decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { isJsonObject } from '../base/json/member.ts'
import type { SigningKey, VerifyingKey } from '../base/keypair.ts'

export type JwtClaims = Readonly<Record<string, unknown>>

/** Far above what a service account's token needs. */
const maxLength = 16_384
/** One spelling, so that a token has one form: jose overlooks padding and spaces. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** The key alone decides how it is signed and checked, never the header. */
export function signJwt(claims: JwtClaims, key: SigningKey): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.verifying.algorithm, kid: key.verifying.id })
    .sign(key.privateKey)
}

/** What a token says of itself, before anyone has checked it. Undefined for whatever is no compact token. */
export function unverifiedClaims(token: string): JwtClaims | undefined {
  if (token.length > maxLength || !compactForm.test(token)) return undefined
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

/** Undefined unless one of the keys has signed it. A token that names its key is checked with that key alone. */
export async function verifiedClaims(token: string, keys: readonly VerifyingKey[]): Promise<JwtClaims | undefined> {
  const keyId = namedKey(token)
  for (const key of keys) {
    if (keyId !== undefined && keyId !== key.id) continue
    const claims = await claimsSignedBy(token, key)
    if (claims !== undefined) return claims
  }
  return undefined
}

function namedKey(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

async function claimsSignedBy(token: string, { publicKey, algorithm }: VerifyingKey): Promise<JwtClaims | undefined> {
  try {
    const { payload } = await compactVerify(token, publicKey, { algorithms: [algorithm] })
    const claims: unknown = JSON.parse(Buffer.from(payload).toString('utf8'))
    return isJsonObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}
