import { Fifo } from './fifo.ts'

/** Limits how many memory-intensive tasks run at the same time. The others wait in order of arrival. */
export class Semaphore {
  readonly #most: number
  readonly #waiting = new Fifo<() => void>()
  #working = 0

  constructor(most: number) {
    this.#most = most
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working < this.#most) this.#working += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Hands the slot to the task that has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#working -= 1
    else next()
  }
}
