import { tooManyRequests } from '../../api/error.ts'

/** Lets a few work at the same time and a few more wait; whoever comes then is sent away for a moment. */
export class Turns {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
  #working = 0

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#working >= this.#atOnce) await this.#wait()
    this.#working += 1
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#waiting.shift()?.()
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) {
      throw tooManyRequests('too many patches are being tried out at the moment, please try again', 1)
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
