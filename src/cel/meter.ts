import type { RE2JS } from 're2js'
import type { WorkMeter } from './work-meter.ts'

/** Thrown, and never visible to the expression: its evaluation cannot continue. */
export class BudgetSpent extends Error {
  readonly cost: number

  constructor(reason: string, cost: number) {
    super(`operation cancelled: ${reason}`)
    this.cost = cost
  }
}

/**
 * Limits work that the cost does not count: Kubernetes charges one unit for joining two lists, however long, and
 * nothing for the result of a replacement. A unit takes about ten nanoseconds.
 */
export const mostWork = 2_000_000

/** The limits of one evaluation. */
export interface CelLimits {
  readonly cost: number
  readonly work: number
}

/** The cost of one evaluation, in the units of Kubernetes, and its limits. */
export class Meter implements WorkMeter {
  /** Patterns compiled during the evaluation, by their text. */
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

  /** Call it before doing the work. */
  work(units: number): void {
    this.#work += units
    if (!(this.#work <= this.#limits.work)) throw new BudgetSpent('actual cost limit exceeded', this.#limits.cost)
  }
}
