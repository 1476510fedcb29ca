import type { PathElement } from '../../base/json/path.ts'

/** Where a validation is, and what it may still cost. */
export interface ValidationContext {
  readonly path: PathElement[]
  readonly budget: ValidationBudget
}

export interface ValidationBudget {
  /** How many nodes of the schema may still be held against values. Other work counts as so many of them. */
  nodes: number
  /** How many characters may still be looked at, each once for every step of a pattern. */
  steps: number
}

/** A schema of thousands of alternatives, held against thousands of values, must end. */
const mostNodes = 300_000
/** The length of a text times the size of its pattern, in all. */
const mostSteps = 20_000_000

export function validationBudget(): ValidationBudget {
  return { nodes: mostNodes, steps: mostSteps }
}

export function isSpent({ nodes, steps }: ValidationBudget): boolean {
  return nodes < 0 || steps < 0
}
