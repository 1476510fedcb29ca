import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { generateSigningKeyPem } from '../../base/keys/keypair.ts'

export interface NewSigningKey {
  /** PKCS #8. */
  readonly pem: Promise<string>
}

/** The directory of a server's keys for service account tokens. */
export function signingKeysIn(directory: string, server: string): string {
  return join(directory, 'pki', server)
}

export function signingKeyFile(keys: string): string {
  return join(keys, 'service-account.key')
}

/**
 * Begins to make a key if there is none. This keeps another thread busy for about as long as loading the engine takes,
 * so do both at the same time.
 */
export function beginSigningKey(keys: string): NewSigningKey | undefined {
  if (existsSync(signingKeyFile(keys))) return undefined
  const pem = generateSigningKeyPem()
  // The failure is reported where the key is awaited, which may be later.
  pem.catch(() => {})
  return { pem }
}
