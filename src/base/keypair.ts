import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** An RSA key that signs, and what others need to check the signature. */
export interface SigningKey {
  readonly privateKey: KeyObject
  readonly verifying: VerifyingKey
}

export interface VerifyingKey {
  readonly publicKey: KeyObject
  /** A hash of the public key, so that the same key has the same id everywhere. */
  readonly id: string
}

/** A new 2048-bit RSA key as PKCS #8 PEM. */
export async function generateSigningKeyPem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function readSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem)
  return { privateKey, verifying: verifyingKey(createPublicKey(privateKey)) }
}

/** Takes a public key, a certificate or a private key, whose public half is used. */
export function readVerifyingKey(pem: string): VerifyingKey {
  return verifyingKey(createPublicKey(pem))
}

function verifyingKey(publicKey: KeyObject): VerifyingKey {
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (publicKey.asymmetricKeyType !== 'rsa' || bits < 2048) {
    throw new Error('Service account tokens are signed with an RSA key of at least 2048 bits; this key is another one.')
  }
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { publicKey, id: createHash('sha256').update(der).digest('base64url') }
}
