import { tooLarge } from '../../api/error.ts'

/** What a patch may cost, in steps of which each takes some tens of nanoseconds. */
const mostSteps = 1_000_000
/** So many items of a list are moved in one step. */
const movedPerStep = 32

/**
 * Few bytes of patch can ask for much work: to move a long list by one place, ten thousand times. So everything is counted
 * before it is done.
 */
export class PatchBudget {
  #left = mostSteps

  /** One for each part of a path that is followed, and each value that is copied. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left >= 0) return
    throw tooLarge('Request entity too large: the patch takes more steps than one patch may; send it in several parts')
  }

  /** Somewhere in a list of that length an item is put in or taken out. */
  spendOnMove(length: number): void {
    this.spend(1 + length / movedPerStep)
  }
}
