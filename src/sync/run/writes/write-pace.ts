/** Writes that may be done at once. */
const atOnce = 60
const everyMs = 1_000

/**
 * Paces the writes of an object that keeps changing: each request of a tenant would otherwise cause a write on the
 * host. A write brings the latest state, so a later one replaces many. Times are those of a clock that cannot be set.
 */
export class WritePace {
  /** By name: when all writes so far would have been done at the steady pace. */
  readonly #doneAtMs = new Map<string, number>()

  /** How long to wait before the next write; 0 if it may be done now. */
  pauseMs(name: string, nowMs: number): number {
    const aheadMs = (this.#doneAtMs.get(name) ?? 0) - nowMs
    return Math.max(0, aheadMs - (atOnce - 1) * everyMs)
  }

  wrote(name: string, nowMs: number): void {
    const doneAtMs = this.#doneAtMs.get(name) ?? 0
    this.#doneAtMs.set(name, Math.max(doneAtMs, nowMs) + everyMs)
  }

  forget(name: string): void {
    this.#doneAtMs.delete(name)
  }
}
