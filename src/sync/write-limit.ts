interface Writes {
  readonly otherVersion: string
  readonly count: number
  readonly lastMs: number
}

const freeWrites = 8
const firstPauseMs = 1_000
const longestPauseMs = 300_000

/**
 * Bounds how often one side of an object is written while the other stays the same. Somebody who undoes every write, or
 * an expression that never gives the same twice, then costs a write every few minutes and no more.
 */
export class WriteLimit {
  readonly #writes = new Map<string, Writes>()

  /** How long to wait before the next write; 0 if it may be done now. */
  pauseMs(name: string, otherVersion: string, nowMs: number): number {
    const writes = this.#writes.get(name)
    if (writes === undefined || writes.otherVersion !== otherVersion || writes.count < freeWrites) return 0
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (writes.count - freeWrites))
    // A clock that was set back makes nobody wait for longer than that.
    return Math.min(pause, Math.max(0, writes.lastMs + pause - nowMs))
  }

  wrote(name: string, otherVersion: string, nowMs: number): void {
    const before = this.#writes.get(name)
    const isSame = before?.otherVersion === otherVersion && nowMs - before.lastMs < 2 * longestPauseMs
    this.#writes.set(name, { otherVersion, count: isSame ? before.count + 1 : 1, lastMs: nowMs })
  }

  forget(name: string): void {
    this.#writes.delete(name)
  }
}
