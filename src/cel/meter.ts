import type { RE2JS } from 're2js'
import type { CelFailure } from './value.ts'

/** Thrown, and never seen by the expression: nothing it says can go on after that. */
export class BudgetSpent extends Error {
  readonly cost: number

  constructor(reason: string, cost: number) {
    super(`operation cancelled: ${reason}`)
    this.cost = cost
  }
}

/**
 * How much is done besides what the cost counts: Kubernetes charges one unit for joining two lists, however long, and nothing
 * for what a replacement makes of a text. A unit is about ten nanoseconds.
 */
const mostWork = 2_000_000

/** What one evaluation has cost, in the units of Kubernetes, and what it may cost. */
export class Meter {
  /** Compiled while it runs, by their text. */
  readonly patterns: Map<string, RE2JS | CelFailure>
  readonly #limit: number
  #cost = 0
  #work = 0

  constructor(limit: number, patterns: Map<string, RE2JS | CelFailure> = new Map()) {
    this.#limit = limit
    this.patterns = patterns
  }

  get cost(): number {
    return this.#cost
  }

  charge(cost: number): void {
    this.#cost += cost
    if (this.#cost > this.#limit) throw new BudgetSpent('actual cost limit exceeded', this.#cost)
  }

  /** Before it is done. */
  work(units: number): void {
    this.#work += units
    if (!(this.#work <= mostWork)) throw new BudgetSpent('actual cost limit exceeded', this.#limit)
  }
}
