import type { Clock } from '../../base/clock.ts'
import type { AuthenticationResult, Authenticator, TokenSource } from '../contract.ts'

export interface FailureLimitOptions {
  readonly clock: Clock
  /** Failures in a row that are answered as such. */
  readonly burst?: number
  /** How often one more is, after that. */
  readonly refillMs?: number
  /** Addresses that are remembered; the one that failed longest ago is forgotten first. */
  readonly maxAddresses?: number
}

/**
 * Answers "too many requests" to an address from which unknown tokens keep coming. What is right always gets in, also
 * from such an address: people share addresses, and nobody may lock others out by failing.
 */
export function limitFailures(authenticator: Authenticator, options: FailureLimitOptions): Authenticator {
  const limit = new FailureLimit(options)
  const counted = (result: AuthenticationResult, source: TokenSource | undefined) =>
    result.outcome === 'unknown' && source !== undefined ? (limit.fail(source.address) ?? result) : result
  return {
    authenticateToken: (token, audiences, source) => {
      const result = authenticator.authenticateToken(token, audiences, source)
      return result instanceof Promise ? result.then((late) => counted(late, source)) : counted(result, source)
    },
  }
}

/** A bucket per address that leaks: each failure adds one, and one goes every `refillMs`. */
class FailureLimit {
  readonly #clock: Clock
  readonly #burst: number
  readonly #refillMs: number
  readonly #maxAddresses: number
  /** By network: when the bucket will be empty, the latest failure last. */
  readonly #emptyAtMs = new Map<string, number>()

  constructor({ clock, burst = 20, refillMs = 3000, maxAddresses = 10_000 }: FailureLimitOptions) {
    this.#clock = clock
    this.#burst = burst
    this.#refillMs = refillMs
    this.#maxAddresses = maxAddresses
  }

  /** The answer to one failure too many. */
  fail(address: string): AuthenticationResult | undefined {
    const nowMs = this.#clock.now()
    const network = networkOf(address)
    const emptyAtMs = Math.max(this.#emptyAtMs.get(network) ?? nowMs, nowMs) + this.#refillMs
    const excessMs = emptyAtMs - nowMs - this.#burst * this.#refillMs
    this.#remember(network, excessMs > 0 ? emptyAtMs - this.#refillMs : emptyAtMs)
    return excessMs > 0 ? tooMany(Math.ceil(excessMs / 1000)) : undefined
  }

  #remember(network: string, emptyAtMs: number): void {
    this.#emptyAtMs.delete(network)
    this.#emptyAtMs.set(network, emptyAtMs)
    const [oldest] = this.#emptyAtMs.keys()
    if (this.#emptyAtMs.size > this.#maxAddresses && oldest !== undefined) this.#emptyAtMs.delete(oldest)
  }
}

/** One machine has as many IPv6 addresses as it likes in its network of 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(8 - start.length - end.length, 0)).fill('0')
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`
}

function tooMany(retryAfterSeconds: number): AuthenticationResult {
  const message = 'too many failed attempts from this address, please try again later'
  return { outcome: 'refused', message, retryAfterSeconds }
}
