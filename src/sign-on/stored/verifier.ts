import { hash, timingSafeEqual } from 'node:crypto'

/** Whether a challenge was made from this verifier, as in PKCE. */
export function isVerifier(verifier: string, challenge: string): boolean {
  const [given, expected] = [Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
