/**
 * Who has had nothing in this turn of the event loop, and has nothing waiting. Such a party does not wait for those who send much, although the
 * time of the turn is over: one request of each, and of a few of them.
 */
export class Newcomers {
  readonly #most: number
  readonly #seen = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether the party is one. It is none from then on, until the turn is over. */
  take(party: string): boolean {
    if (this.#seen.size >= this.#most || this.#seen.has(party)) return false
    if (this.#seen.size === 0) setImmediate(() => this.#seen.clear())
    this.#seen.add(party)
    return true
  }
}
