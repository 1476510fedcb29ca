import type { History, Moment } from './history.ts'

/** The highest revision that any client had seen before a moment: later writes must be newer. */
export class Seen {
  readonly #moments: readonly Moment[]
  readonly #highest: readonly number[]

  constructor(history: History) {
    const shown = [...everythingShown(history)].sort((left, right) => left.at - right.at)
    this.#moments = shown.map(({ at }) => at)
    let highest = 0
    this.#highest = shown.map(({ revision }) => {
      highest = Math.max(highest, revision)
      return highest
    })
  }

  before(moment: Moment): number {
    let low = 0
    let high = this.#moments.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#moments[middle] ?? 0) < moment) low = middle + 1
      else high = middle
    }
    return this.#highest[low - 1] ?? 0
  }
}

interface Shown {
  readonly at: Moment
  readonly revision: number
}

function* everythingShown({ calls, lists, follows }: History): Generator<Shown> {
  for (const { outcome } of calls) {
    if (outcome.is === 'done' && outcome.sight !== undefined) {
      yield { at: outcome.endedAt, revision: outcome.sight.revision }
    }
  }
  for (const { pages } of lists) for (const { at, revision } of pages) yield { at, revision }
  for (const { steps } of follows) {
    for (const step of steps) {
      if (step.is === 'event') yield { at: step.at, revision: step.sight.revision }
      if (step.is === 'bookmark') yield { at: step.at, revision: step.revision }
    }
  }
}
