import type { RE2JS } from 're2js'
import type { WorkMeter } from './work-meter.ts'

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
export const mostWork = 2_000_000

/** What one evaluation may do at most. */
export interface CelLimits {
  readonly cost: number
  readonly work: number
}

/** What one evaluation has cost, in the units of Kubernetes, and what it may cost. */
export class Meter implements WorkMeter {
  /** Compiled while it runs, by their text. */
  readonly patterns: Map<string, RE2JS>
  readonly #limits: CelLimits
  #cost = 0
  #work = 0

  constructor(limits: CelLimits, patterns: Map<string, RE2JS> = new Map()) {
    this.#limits = limits
    this.patterns = patterns
  }

  get cost(): number {
    return this.#cost
  }

  get workDone(): number {
    return this.#work
  }

  get costLeft(): number {
    return this.#limits.cost - this.#cost
  }

  get workLeft(): number {
    return this.#limits.work - this.#work
  }

  charge(cost: number): void {
    this.#cost += cost
    if (this.#cost > this.#limits.cost) throw new BudgetSpent('actual cost limit exceeded', this.#cost)
  }

  /** Before it is done. */
  work(units: number): void {
    this.#work += units
    if (!(this.#work <= this.#limits.work)) throw new BudgetSpent('actual cost limit exceeded', this.#limits.cost)
  }
}
