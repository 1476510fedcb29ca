import { hash, timingSafeEqual } from 'node:crypto'

/** Whether a text is the one that a challenge was made of, as PKCE has it. */
export function isVerifier(verifier: string, challenge: string): boolean {
  const [given, expected] = [Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
