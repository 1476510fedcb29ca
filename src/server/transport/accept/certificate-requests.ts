import type { Clock } from '../../../base/clock.ts'
import { networkOf } from '../../../base/network/network-of.ts'

/** A client certificate with its chain normally takes a fraction of this. */
const longestHandshakeBytes = 16 * 1024
const pauseMs = 10 * 60_000
/** When this many networks have sent long chains, no client is asked. */
const mostPaused = 10
const mostRemembered = 1_000

/**
 * Decides which clients are asked for a certificate. OpenSSL verifies every signature of the chain that a client sends,
 * in the event loop, even if it leads to no known authority: a stranger could keep the server busy for seconds with one
 * handshake. So a network that sent a long chain in vain is not asked for a while.
 */
export class CertificateRequests {
  readonly #elapsed: Clock
  readonly #pausedUntilMs = new Map<string, number>()

  constructor(elapsed: Clock) {
    this.#elapsed = elapsed
  }

  isAsked(address: string): boolean {
    this.#forgetEnded()
    return this.#pausedUntilMs.size < mostPaused && !this.#pausedUntilMs.has(networkOf(address))
  }

  /** Reports a handshake that proved nothing, and the bytes that the client sent. */
  wasInVain(address: string, bytes: number): void {
    if (bytes <= longestHandshakeBytes) return
    const network = networkOf(address)
    this.#pausedUntilMs.delete(network)
    this.#pausedUntilMs.set(network, this.#elapsed.now() + pauseMs)
    const [oldest] = this.#pausedUntilMs.keys()
    if (this.#pausedUntilMs.size > mostRemembered && oldest !== undefined) this.#pausedUntilMs.delete(oldest)
  }

  /** Entries are in the order in which they end. */
  #forgetEnded(): void {
    for (const [network, untilMs] of this.#pausedUntilMs) {
      if (untilMs > this.#elapsed.now()) return
      this.#pausedUntilMs.delete(network)
    }
  }
}
