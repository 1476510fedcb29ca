interface Writes {
  readonly cause: string
  readonly count: number
  readonly lastMs: number
}

const freeWrites = 16
const firstPauseMs = 1_000
const longestPauseMs = 300_000
/** Writes that are further apart do not count as a fight with another client. */
const calmMs = 10_000

/**
 * Limits how often one side of an object is written for the same cause. A client that undoes every write, or an
 * expression that never returns the same result twice, then costs only one write every few minutes. Times are those of
 * a clock that cannot be set.
 */
export class WriteLimit {
  readonly #writes = new Map<string, Writes>()

  /** How long to wait before the next write; 0 if it may be done now. */
  pauseMs(name: string, cause: string, nowMs: number): number {
    const writes = this.#writes.get(name)
    if (writes === undefined || writes.cause !== cause) return 0
    return Math.max(0, writes.lastMs + pauseAfter(writes.count) - nowMs)
  }

  wrote(name: string, cause: string, nowMs: number): void {
    const before = this.#writes.get(name)
    const isPressing = before?.cause === cause && nowMs - before.lastMs < Math.max(calmMs, 2 * pauseAfter(before.count))
    this.#writes.set(name, { cause, count: isPressing ? before.count + 1 : 1, lastMs: nowMs })
  }

  forget(name: string): void {
    this.#writes.delete(name)
  }

  forgetAll(): void {
    this.#writes.clear()
  }
}

function pauseAfter(count: number): number {
  return count < freeWrites ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (count - freeWrites))
}
