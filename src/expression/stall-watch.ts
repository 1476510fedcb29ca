/** What can be seen of a busy thread from outside. */
export interface Sign {
  readonly beats: number
  readonly batch: number
  readonly evaluation: number
}

/** How many looks a thread may stand still before it is taken for stuck. */
export const looksBeforeStuck = 10

/**
 * Tells a thread that is stuck from one that is slow. Counts looks and not time, so that a process that was stopped
 * and continued does not blame an expression for it.
 */
export class StallWatch {
  #beats: number | undefined
  #still = 0

  /** Whether nothing has moved for too long in an evaluation of the batch that is waited for. */
  isStuck(sign: Sign, waitingFor: number): boolean {
    const evaluating = sign.batch === waitingFor && sign.evaluation >= 0
    const { beats } = sign
    this.#still = evaluating && beats === this.#beats ? this.#still + 1 : 0
    this.#beats = beats
    return this.#still >= looksBeforeStuck
  }
}
