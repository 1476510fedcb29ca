import type { Clock } from '../../base/clock.ts'

interface Pause {
  readonly sinceMs: number
  readonly pauseMs: number
}

const firstPauseMs = 1_000
const longestPauseMs = 15 * 60_000
const mostRemembered = 10_000

/**
 * How long failed Pods of a place wait for replacement: the time doubles with each failure, until they have worked for
 * a while.
 */
export class FailedBackoff {
  readonly #clock: Clock
  /** The most recent one is last. */
  readonly #pauses = new Map<string, Pause>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  remainingMs(place: string): number {
    const pause = this.#pauses.get(place)
    return pause === undefined ? 0 : Math.max(0, pause.sinceMs + pause.pauseMs - this.#clock.now())
  }

  /** Records a replacement. */
  note(place: string): void {
    const nowMs = this.#clock.now()
    const last = this.#pauses.get(place)
    const isRecent = last !== undefined && nowMs - last.sinceMs <= 2 * longestPauseMs
    const pauseMs = isRecent ? Math.min(2 * last.pauseMs, longestPauseMs) : firstPauseMs
    this.#pauses.delete(place)
    this.#pauses.set(place, { sinceMs: nowMs, pauseMs })
    const [oldest] = this.#pauses.size > mostRemembered ? this.#pauses.keys() : []
    if (oldest !== undefined) this.#pauses.delete(oldest)
  }
}
