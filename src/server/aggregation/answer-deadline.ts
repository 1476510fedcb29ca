import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import { cutBy } from '../onward/cuts.ts'

/** Gives a request that is passed on up when it takes too long, or when any of `cuts` comes. */
export class AnswerDeadline {
  readonly #givenUp = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  readonly #forget: () => void
  #isLate = false

  /** Without `ms` it may take as long as it likes. */
  constructor(ms: number | undefined, cuts: readonly AbortSignal[]) {
    this.#forget = cutBy(cuts, () => this.#givenUp.abort())
    this.#timer = ms === undefined ? undefined : setTimeout(() => this.#expire(), ms)
  }

  get signal(): AbortSignal {
    return this.#givenUp.signal
  }

  get isLate(): boolean {
    return this.#isLate
  }

  /** The answer has begun, and has to end in time, too: a server that sends it slowly would otherwise keep its place. */
  follow(body: Readable): void {
    if (body.closed) {
      this.end()
      return
    }
    const forget = cutBy([this.signal], () => giveUp(body))
    body.once('close', () => {
      forget()
      this.end()
    })
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#forget()
  }

  #expire(): void {
    this.#isLate = true
    this.#givenUp.abort()
  }
}
