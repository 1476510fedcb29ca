import { Fifo } from './fifo.ts'

/** For work that holds much while it is done: so many do it at the same time, the others wait in the order in which they came. */
export class FewAtATime {
  readonly #most: number
  readonly #waiting = new Fifo<() => void>()
  #working = 0

  constructor(most: number) {
    this.#most = most
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working < this.#most) this.#working += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** The place goes to the one that has waited for longest. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#working -= 1
    else next()
  }
}
