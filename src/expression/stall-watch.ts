/** What is visible of a busy thread from outside. */
export interface ThreadProgress {
  readonly beats: number
  readonly batch: number
  readonly evaluation: number
}

/** How many checks without progress are allowed before a thread counts as stuck. */
export const checksBeforeStuck = 10
/** After this many checks it counts as stuck even if it does nothing. */
const mostChecks = 100

/**
 * Distinguishes a stuck thread from a slow one. Being stuck takes work, so it counts checks and the work of the process
 * in between: a process that was suspended, or gets almost no time, does not blame an expression for it.
 */
export class StallWatch {
  readonly #stallMs: number
  #beats: number | undefined
  #workAtBeat = 0
  #checks = 0

  constructor(stallMs: number) {
    this.#stallMs = stallMs
  }

  /**
   * Whether nothing has moved for too long in an evaluation of the batch that is waited for.
   * @param workMs the processor time of the process so far, all threads together
   */
  isStuck({ beats, batch, evaluation }: ThreadProgress, waitingFor: number, workMs: number): boolean {
    const still = beats === this.#beats && batch === waitingFor && evaluation >= 0
    if (!still) {
      this.#beats = beats
      this.#workAtBeat = workMs
      this.#checks = 0
      return false
    }
    this.#checks++
    if (this.#checks >= mostChecks) return true
    return this.#checks >= checksBeforeStuck && workMs - this.#workAtBeat >= this.#stallMs
  }
}
