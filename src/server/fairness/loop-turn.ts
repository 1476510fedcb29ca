import { monotonicClock } from '../../base/clock.ts'

/** The time that one turn of the event loop has for requests. It begins with the first of them, or when it is begun anew. */
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
