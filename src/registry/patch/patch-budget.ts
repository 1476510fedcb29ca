import { tooLarge } from '../../api/error.ts'

/** The maximum cost of a patch, in steps that each take some tens of nanoseconds. */
const mostSteps = 1_000_000
/** How many list items are moved in one step. */
const movedPerStep = 32
/** A copied value becomes a new one, with members of its own. Enough for an object of the most values, copied whole. */
const stepsPerCopy = 25

/**
 * A short patch can ask for much work, such as moving a long list by one place ten thousand times. So every operation
 * is charged before it runs.
 */
export class PatchBudget {
  #left = mostSteps

  /** Costs one step for each path segment that is followed, and for each member that becomes editable. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left >= 0) return
    throw tooLarge('Request entity too large: the patch takes more steps than one patch may; send it in several parts')
  }

  /** For each value that the operation `copy` copies. */
  spendOnCopy(): void {
    this.spend(stepsPerCopy)
  }

  /** For inserting or removing an item in a list of that length. */
  spendOnMove(length: number): void {
    this.spend(1 + length / movedPerStep)
  }
}
