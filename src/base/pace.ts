import { monotonicClock } from './clock.ts'
import { shareOfTurn } from './concurrency/shared-turns.ts'
import type { Steps } from './steps.ts'

export interface PaceOptions {
  /** How many steps run before other work on the event loop gets its turn. */
  readonly stepsPerTurn?: number
  /** Fewer steps run if they take this long. */
  readonly msPerTurn?: number
  /**
   * Whose work it is: parties take turns. A symbol cannot collide with the name of a caller. Absent: the work belongs
   * to no caller.
   */
  readonly party?: string | symbol
  /** `rest` throws its reason once it has aborted. Absent: the work is finished in any case. */
  readonly signal?: AbortSignal
}

/** Tells long work when to yield to other work. */
export interface Pacing {
  /** Whether it is time to yield. */
  isDue(): boolean
  /** Resolves when the work may continue. */
  rest(): Promise<void>
}

/** Long work on behalf of a caller. */
export interface LongWork {
  readonly pacing: Pacing
  /** Aborts when the caller no longer waits for the result. */
  readonly signal: AbortSignal
}

/**
 * Keeps long work from starving the event loop. Work that only awaits promises never lets timers, connections and
 * signals through, so a loop over many items must rest in between. Resting loops resume one after the other: a hundred
 * of them delay everything else no longer than one.
 */
export class Pace implements Pacing {
  readonly #stepsPerTurn: number
  readonly #msPerTurn: number
  readonly #party: string | symbol | undefined
  readonly #signal: AbortSignal | undefined
  #steps = 0
  #turnBegan = monotonicClock.now()

  constructor({ stepsPerTurn = 100, msPerTurn = 10, party, signal }: PaceOptions = {}) {
    this.#stepsPerTurn = stepsPerTurn
    this.#msPerTurn = msPerTurn
    this.#party = party
    this.#signal = signal
  }

  /** Counts one step, and returns whether it is time to rest. */
  isDue(): boolean {
    this.#steps++
    return this.#steps >= this.#stepsPerTurn || monotonicClock.now() - this.#turnBegan >= this.#msPerTurn
  }

  /** Resolves when all other work has had its turn. */
  async rest(): Promise<void> {
    await shareOfTurn(this.#party)
    this.#signal?.throwIfAborted()
    this.#steps = 0
    this.#turnBegan = monotonicClock.now()
  }

  /** Counts one step of a loop, and rests if it is time to. */
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
