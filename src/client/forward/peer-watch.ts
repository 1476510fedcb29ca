import { linkLimits } from '../../api/link-limits.ts'
import type { Clock } from '../../base/clock.ts'

/** The part of an HTTP/2 session that is needed. */
export interface PingedSession {
  readonly destroyed: boolean
  ping(answered: (error: Error | null) => void): boolean
}

export interface PeerWatchOptions {
  readonly session: PingedSession
  /** For durations. */
  readonly elapsed: Clock
  /** The peer is pinged only after this time without data. Absent: each time. */
  readonly quietMs?: number
  /** Called when the peer was silent for too long. */
  readonly onSilence: () => void
}

const { pingIntervalMs, silentMs } = linkLimits

/** Checks repeatedly whether the peer of a session is alive. */
export class PeerWatch {
  readonly #options: PeerWatchOptions
  readonly #timer: NodeJS.Timeout
  #lastSeenMs: number

  constructor(options: PeerWatchOptions) {
    this.#options = options
    this.#lastSeenMs = options.elapsed.now()
    this.#timer = setInterval(() => this.#look(), pingIntervalMs).unref()
  }

  /** How long nothing has arrived from the peer. */
  get quietForMs(): number {
    return this.#options.elapsed.now() - this.#lastSeenMs
  }

  /** Call when data has arrived from the peer. */
  readonly seen = (): void => {
    this.#lastSeenMs = this.#options.elapsed.now()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { session, quietMs = 0, onSilence } = this.#options
    const { quietForMs } = this
    if (quietForMs >= silentMs) onSilence()
    else if (quietForMs >= quietMs && !session.destroyed) session.ping((error) => error === null && this.seen())
  }
}
