import type { Clock } from '../../base/clock.ts'

/** The uids of recently deleted objects: each of them had been stored, so no charge for it is open. */
export class GoneObjects {
  readonly #clock: Clock
  readonly #keepMs: number
  /** When each was deleted, in that order. */
  readonly #gone = new Map<string, number>()

  constructor(clock: Clock, keepMs: number) {
    this.#clock = clock
    this.#keepMs = keepMs
  }

  add(uid: string): void {
    const nowMs = this.#clock.now()
    this.#gone.set(uid, nowMs)
    for (const [each, goneMs] of this.#gone) {
      if (nowMs - goneMs <= this.#keepMs) return
      this.#gone.delete(each)
    }
  }

  has(uid: string): boolean {
    return this.#gone.has(uid)
  }
}
