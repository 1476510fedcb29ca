/**
 * Parties that have nothing waiting do not wait for those who send much, although the time of the turn of the event loop is over: one request
 * more of each in a turn, and of a few of them.
 */
export class Newcomers {
  readonly #most: number
  readonly #seen = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether the party, which has nothing waiting, is one. It is none from then on, until the turn is over. */
  take(party: string): boolean {
    if (this.#seen.size >= this.#most || this.#seen.has(party)) return false
    if (this.#seen.size === 0) setImmediate(() => this.#seen.clear())
    this.#seen.add(party)
    return true
  }
}
