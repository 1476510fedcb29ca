import { type License, licensedFeatures } from './contract.ts'

/** The clock may have been ahead, and the license be checked by the clock of another machine. */
const leewayMs = 24 * 3_600_000

/** What a program issues to its own installation: all features, without expiry. */
export function ownLicense(to: Pick<License, 'id' | 'issuedTo'>, nowMs: number): License {
  return { ...to, features: licensedFeatures, limits: {}, issuedAtMs: nowMs - leewayMs }
}
