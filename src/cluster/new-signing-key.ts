import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { generateSigningKeyPem } from '../base/keypair.ts'

export interface NewSigningKey {
  /** PKCS #8. */
  readonly pem: Promise<string>
}

/** Where the keys for tokens of service accounts of a server are. */
export function signingKeysIn(directory: string, server: string): string {
  return join(directory, 'pki', server)
}

export function signingKeyFile(keys: string): string {
  return join(keys, 'service-account.key')
}

/**
 * Begins to make a key where there is none. It keeps another thread busy for about as long as it takes to load the engine, so do
 * both at the same time.
 */
export function beginSigningKey(keys: string): NewSigningKey | undefined {
  if (existsSync(signingKeyFile(keys))) return undefined
  const pem = generateSigningKeyPem()
  // The failure is told where the key is waited for, which may be later.
  pem.catch(() => {})
  return { pem }
}
