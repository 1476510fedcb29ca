import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** A new private key as PKCS #8 PEM. */
export function generateEd25519Pem(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Throws for anything but a private Ed25519 key in PEM. The error shows nothing of the input. */
export function readEd25519PrivateKey(pem: string): KeyObject {
  const key = readOrUndefined(() => createPrivateKey(pem))
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new Error('it is not a private Ed25519 key in PEM')
}

/** Accepts PEM, or only its content: base64 of the key in DER. Private keys are refused. */
export function readEd25519PublicKey(text: string): KeyObject {
  const trimmed = text.trim()
  const key = trimmed.startsWith('-----')
    ? readOrUndefined(() => (trimmed.includes('PRIVATE') ? undefined : createPublicKey(trimmed)))
    : readOrUndefined(() => createPublicKey({ key: Buffer.from(trimmed, 'base64'), format: 'der', type: 'spki' }))
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new Error('it is not a public Ed25519 key in PEM or base64')
}

/** The public half as base64 of its DER: one line that fits into a configuration file. */
export function printEd25519PublicKey(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
}

function readOrUndefined(read: () => KeyObject | undefined): KeyObject | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
