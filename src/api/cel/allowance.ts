import type { CelOutcome } from '../../cel/compile.ts'
import type { CelResult } from '../../cel/value.ts'
import { mostExpressionCost } from './environment.ts'
import type { CelExpression } from './expression.ts'

export type CelVariables = Readonly<Record<string, CelResult>>

/** What the expressions that are evaluated for one purpose may still use, all together. */
export class CelAllowance {
  #cost: number
  #work: number

  constructor(cost: number, work: number) {
    this.#cost = cost
    this.#work = work
  }

  evaluate(expression: CelExpression, variables: CelVariables): CelOutcome {
    if ('problem' in expression) return { problem: expression.problem, cost: 0, work: 0, isSpent: false }
    if (this.#cost < 0 || this.#work < 0) return spent
    const costLimit = Math.min(mostExpressionCost, this.#cost)
    const outcome = expression.program.evaluate(variables, costLimit, this.#work)
    this.#cost -= outcome.cost
    this.#work -= outcome.work
    return outcome
  }
}

const spent: CelOutcome = {
  problem: 'validation failed due to running out of cost budget',
  cost: 0,
  work: 0,
  isSpent: true,
}
