/** What can be seen of a busy thread from outside. */
export interface Sign {
  readonly beats: number
  readonly batch: number
  readonly evaluation: number
}

/** How many looks a thread may stand still before it is taken for stuck. */
export const looksBeforeStuck = 10
/** After so many looks it is stuck even if it does nothing. */
const mostLooks = 100

/**
 * Tells a thread that is stuck from one that is slow. Being stuck takes work, so it counts looks and the work of the
 * process in between: a process that was stopped, or gets next to no time, does not blame an expression for it.
 */
export class StallWatch {
  readonly #stallMs: number
  #beats: number | undefined
  #workAtBeat = 0
  #looks = 0

  constructor(stallMs: number) {
    this.#stallMs = stallMs
  }

  /**
   * Whether nothing has moved for too long in an evaluation of the batch that is waited for.
   * @param workMs what the process has worked in its life, all threads together
   */
  isStuck({ beats, batch, evaluation }: Sign, waitingFor: number, workMs: number): boolean {
    const still = beats === this.#beats && batch === waitingFor && evaluation >= 0
    if (!still) {
      this.#beats = beats
      this.#workAtBeat = workMs
      this.#looks = 0
      return false
    }
    this.#looks++
    if (this.#looks >= mostLooks) return true
    return this.#looks >= looksBeforeStuck && workMs - this.#workAtBeat >= this.#stallMs
  }
}
