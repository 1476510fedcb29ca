import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** How tokens are signed: with RSA, or in a tenth of the time with ECDSA over P-256. The key determines which. */
export type SigningAlgorithm = 'RS256' | 'ES256'

/** A signing key, and what others need to verify its signatures. */
export interface SigningKey {
  readonly privateKey: KeyObject
  readonly verifying: VerifyingKey
}

export interface VerifyingKey {
  readonly publicKey: KeyObject
  readonly algorithm: SigningAlgorithm
  /** A hash of the public key, so that the same key has the same id everywhere. */
  readonly id: string
}

/** A new key as PKCS #8 PEM. */
export async function generateSigningKeyPem(algorithm: SigningAlgorithm = 'RS256'): Promise<string> {
  const { privateKey } = await (algorithm === 'RS256'
    ? promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    : promisify(generateKeyPair)('ec', { namedCurve: 'P-256' }))
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function readSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem)
  return { privateKey, verifying: verifyingKey(createPublicKey(privateKey)) }
}

/** Accepts a public key, a certificate, or a private key, of which the public half is used. */
export function readVerifyingKey(pem: string): VerifyingKey {
  return verifyingKey(createPublicKey(pem))
}

function verifyingKey(publicKey: KeyObject): VerifyingKey {
  const algorithm = algorithmOf(publicKey)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { publicKey, algorithm, id: createHash('sha256').update(der).digest('base64url') }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): SigningAlgorithm {
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= 2048) return 'RS256'
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256'
  const known = 'an RSA key of at least 2048 bits, or with an elliptic one of the curve P-256'
  throw new Error(`Service account tokens are signed with ${known}; this key is another one.`)
}
