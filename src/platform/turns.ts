import { tooManyRequests } from '../api/error.ts'

export interface TurnsOptions {
  readonly atOnce: number
  readonly mostWaiting: number
  /** What whoever is sent away is told. */
  readonly busy: string
}

/** Lets a few work at the same time and a few more wait; whoever comes then is sent away for a moment. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #waiting: (() => void)[] = []
  #working = 0

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working >= this.#options.atOnce) await this.#wait()
    this.#working += 1
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#waiting.shift()?.()
    }
  }

  #wait(): Promise<void> {
    const { mostWaiting, busy } = this.#options
    if (this.#waiting.length >= mostWaiting) throw tooManyRequests(`${busy}, please try again`, 1)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
