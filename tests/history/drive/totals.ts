import type { Round } from './round.ts'

/** The sums over all rounds of one store. */
export class Totals {
  readonly #store: string
  readonly #faults = new Map<string, number>()
  #rounds = 0
  #operations = 0
  #events = 0
  #unknown = 0
  #violations = 0

  constructor(store: string) {
    this.#store = store
  }

  add(round: Round): void {
    this.#rounds += 1
    this.#operations += round.operations
    this.#events += round.events
    this.#unknown += round.unknown
    this.#violations += round.violations.length + round.surprises.length
    for (const fault of round.faults) this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1)
  }

  report(): string {
    const faults = [...this.#faults].sort(([left], [right]) => left.localeCompare(right))
    const count = faults.reduce((sum, [, times]) => sum + times, 0)
    const counts = faults.map(([name, times]) => `${name} ${times}`).join(', ')
    return `${this.#store} store: ${this.#rounds} rounds, ${this.#operations} operations (${this.#unknown} of unknown outcome), ${this.#events} events, ${count} faults (${counts}), ${this.#violations} violations`
  }
}
