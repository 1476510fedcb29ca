import { compactVerify, decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { isJsonObject } from '../base/json/member.ts'
import type { SigningKey, VerifyingKey } from '../base/keys/keypair.ts'

export type JwtClaims = Readonly<Record<string, unknown>>

/** Far above the length of a service account's token. */
const maxLength = 16_384
/** Accepts one spelling, so that each token has one form: jose ignores padding and spaces. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Only the key decides how a token is signed and verified, never the header. */
export function signJwt(claims: JwtClaims, key: SigningKey): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.verifying.algorithm, kid: key.verifying.id })
    .sign(key.privateKey)
}

/** The claims of a token without verification. Undefined if it is not a compact token. */
export function unverifiedClaims(token: string): JwtClaims | undefined {
  if (token.length > maxLength || !compactForm.test(token)) return undefined
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

/** Undefined unless one of the keys has signed the token. A token that names its key is verified only with that key. */
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
