import { linkLimits } from '../../api/link-limits.ts'

/** The part of an HTTP/2 session that is needed. */
export interface PingedSession {
  readonly destroyed: boolean
  ping(answered: (error: Error | null) => void): boolean
}

export interface PeerWatchOptions {
  readonly session: PingedSession
  readonly now: () => number
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
    this.#lastSeenMs = options.now()
    this.#timer = setInterval(() => this.#look(), pingIntervalMs).unref()
  }

  get lastSeenMs(): number {
    return this.#lastSeenMs
  }

  /** Call when data has arrived from the peer. */
  readonly seen = (): void => {
    this.#lastSeenMs = this.#options.now()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { session, now, quietMs = 0, onSilence } = this.#options
    const quietForMs = now() - this.#lastSeenMs
    if (quietForMs >= silentMs) onSilence()
    else if (quietForMs >= quietMs && !session.destroyed) session.ping((error) => error === null && this.seen())
  }
}
