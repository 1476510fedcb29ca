import { monotonicClock } from './clock.ts'
import { shareOfTurn } from './shared-turns.ts'
import type { Steps } from './steps.ts'

export interface PaceOptions {
  /** So much is done before everything else that waits for the event loop has its turn. */
  readonly stepsPerTurn?: number
  /** Or less, if it takes so long. */
  readonly msPerTurn?: number
  /** Whose work it is: parties take turns. A symbol is one that no caller can be called. Absent: it belongs to no caller. */
  readonly party?: string | symbol
}

/** Tells long work when everything else is to have its turn. */
export interface Pacing {
  /** Whether it is time to rest. */
  isDue(): boolean
  /** Resolves when the work may go on. */
  rest(): Promise<void>
}

/** Long work that is done for a caller. */
export interface LongWork {
  readonly pacing: Pacing
  /** Aborts when the caller no longer waits for the result. */
  readonly signal: AbortSignal
}

/**
 * Keeps long work from starving the event loop. Work that waits only for promises never lets timers, connections and
 * signals through, so a loop over many items must rest in between. Those that rest go on one after the other: a hundred that are under way
 * together keep everything else waiting for no longer than one.
 */
export class Pace implements Pacing {
  readonly #stepsPerTurn: number
  readonly #msPerTurn: number
  readonly #party: string | symbol | undefined
  #steps = 0
  #turnBegan = monotonicClock.now()

  constructor({ stepsPerTurn = 100, msPerTurn = 10, party }: PaceOptions = {}) {
    this.#stepsPerTurn = stepsPerTurn
    this.#msPerTurn = msPerTurn
    this.#party = party
  }

  /** Counts one step, and says whether it is time to rest. */
  isDue(): boolean {
    this.#steps++
    return this.#steps >= this.#stepsPerTurn || monotonicClock.now() - this.#turnBegan >= this.#msPerTurn
  }

  /** Resolves when everything else has had its turn. */
  async rest(): Promise<void> {
    await shareOfTurn(this.#party)
    this.#steps = 0
    this.#turnBegan = monotonicClock.now()
  }

  /** One step of a loop. */
  async step(): Promise<void> {
    if (this.isDue()) await this.rest()
  }
}

export async function paced<Result>(steps: Steps<Result>, pacing: Pacing): Promise<Result> {
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done === true) return next.value
    if (pacing.isDue()) await pacing.rest()
  }
}
