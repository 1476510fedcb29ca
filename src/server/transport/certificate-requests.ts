import type { Clock } from '../../base/clock.ts'
import { networkOf } from '../../base/network-of.ts'

/** What a client certificate, and those that lead to its authority, take a part of. */
const longestHandshakeBytes = 16 * 1024
const pauseMs = 10 * 60_000
/** With so many networks that send long chains, no client is asked. */
const mostPaused = 10
const mostRemembered = 1_000

/**
 * Which clients are asked for a certificate. OpenSSL checks every signature of the chain that a client sends, in the event
 * loop, also if no authority is known that it leads to: a stranger could keep the server busy for seconds by one handshake.
 * So a network that has sent a long chain in vain is not asked for a while.
 */
export class CertificateRequests {
  readonly #clock: Clock
  readonly #pausedUntilMs = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isAsked(address: string): boolean {
    this.#forgetEnded()
    return this.#pausedUntilMs.size < mostPaused && !this.#pausedUntilMs.has(networkOf(address))
  }

  /** A handshake has proven nothing, and took so many bytes of the client. */
  wasInVain(address: string, bytes: number): void {
    if (bytes <= longestHandshakeBytes) return
    const network = networkOf(address)
    this.#pausedUntilMs.delete(network)
    this.#pausedUntilMs.set(network, this.#clock.now() + pauseMs)
    const [oldest] = this.#pausedUntilMs.keys()
    if (this.#pausedUntilMs.size > mostRemembered && oldest !== undefined) this.#pausedUntilMs.delete(oldest)
  }

  /** In the order in which they end. */
  #forgetEnded(): void {
    for (const [network, untilMs] of this.#pausedUntilMs) {
      if (untilMs > this.#clock.now()) return
      this.#pausedUntilMs.delete(network)
    }
  }
}
