import type { Clock } from '../../base/clock.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { AuthenticationResult, Authenticator, TokenSource } from '../contract.ts'

export interface FailureLimitOptions {
  readonly clock: Clock
  /** Consecutive failures that are answered as unauthorized. */
  readonly burst?: number
  /** How often one more is, after that. */
  readonly refillMs?: number
  /** Addresses that are remembered; the one that failed longest ago is forgotten first. */
  readonly maxAddresses?: number
}

/**
 * Answers "too many requests" to an address that keeps sending unknown tokens. A known token is always accepted, even
 * from such an address: users share addresses, and the failures of one must not lock out the others.
 */
export function limitFailures(authenticator: Authenticator, options: FailureLimitOptions): Authenticator {
  const { clock, burst = 20, refillMs = 3000, maxAddresses = 10_000 } = options
  const failures = new LeakyBuckets({ clock, burst, refillMs, most: maxAddresses })
  const counted = (result: AuthenticationResult, source: TokenSource | undefined) => {
    if (result.outcome !== 'unknown' || source === undefined) return result
    const excessMs = failures.add(networkOf(source.address))
    return excessMs > 0 ? tooMany(Math.ceil(excessMs / 1000)) : result
  }
  return {
    authenticateToken: (token, audiences, source) => {
      const result = authenticator.authenticateToken(token, audiences, source)
      return result instanceof Promise ? result.then((late) => counted(late, source)) : counted(result, source)
    },
  }
}

function tooMany(retryAfterSeconds: number): AuthenticationResult {
  const message = 'too many failed attempts from this address, please try again later'
  return { outcome: 'refused', message, retryAfterSeconds }
}
