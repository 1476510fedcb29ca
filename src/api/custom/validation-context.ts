import type { PathElement } from '../../base/json/path.ts'

/** The position of a validation, and what it may still cost. */
export interface ValidationContext {
  readonly path: PathElement[]
  readonly budget: ValidationBudget
}

export interface ValidationBudget {
  /** How many nodes of the schema may still be compared with values. Other work is converted to nodes. */
  nodes: number
  /** How many characters may still be read, each counted once for every step of a pattern. */
  steps: number
}

/** A schema of thousands of alternatives, applied to thousands of values, must end. */
const mostNodes = 300_000
/** The total of text length times pattern size. */
const mostSteps = 20_000_000

export function validationBudget(): ValidationBudget {
  return { nodes: mostNodes, steps: mostSteps }
}

export function isSpent({ nodes, steps }: ValidationBudget): boolean {
  return nodes < 0 || steps < 0
}
