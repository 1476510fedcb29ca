import { monotonicClock } from '../../base/clock.ts'

/** The time that one turn of the event loop has for requests. It begins with the first of them. */
export class LoopTurn {
  readonly #forMs: number
  #endsMs: number | undefined

  constructor(forMs: number) {
    this.#forMs = forMs
  }

  get isOver(): boolean {
    if (this.#endsMs !== undefined) return monotonicClock.now() >= this.#endsMs
    this.#endsMs = monotonicClock.now() + this.#forMs
    setImmediate(() => {
      this.#endsMs = undefined
    })
    return false
  }
}
