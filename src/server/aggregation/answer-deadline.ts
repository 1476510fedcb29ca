import type { Readable } from 'node:stream'
import { giveUp } from '../../client/forward/give-up.ts'
import { cutBy } from '../onward/cuts.ts'

/** Gives up a forwarded request when it takes too long or when one of `cuts` aborts. */
export class AnswerDeadline {
  readonly #givenUp = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  readonly #forget: () => void
  #isLate = false

  /** Without `ms` there is no time limit. */
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

  /** The answer has begun and must also end in time: otherwise a server that sends slowly would keep its place. */
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
