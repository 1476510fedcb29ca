import { monotonicClock } from '../../base/clock.ts'

/**
 * The time for requests in one iteration of the event loop. It starts with the first request, or when `begin` is
 * called.
 */
export class LoopTurn {
  readonly #forMs: number
  #endsMs: number | undefined

  constructor(forMs: number) {
    this.#forMs = forMs
  }

  get isOver(): boolean {
    if (this.#endsMs !== undefined) return monotonicClock.now() >= this.#endsMs
    this.begin()
    return false
  }

  begin(): void {
    if (this.#endsMs === undefined) setImmediate(() => this.#end())
    this.#endsMs = monotonicClock.now() + this.#forMs
  }

  #end(): void {
    this.#endsMs = undefined
  }
}
