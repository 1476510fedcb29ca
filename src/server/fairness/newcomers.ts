/**
 * Parties with nothing waiting do not wait for those who send much, although the time of the iteration is over: each
 * gets one more request per iteration, up to a number of parties.
 */
export class Newcomers {
  readonly #most: number
  readonly #seen = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether the party, which has nothing waiting, gets one more request. It gets no other in this iteration. */
  take(party: string): boolean {
    if (this.#seen.size >= this.#most || this.#seen.has(party)) return false
    if (this.#seen.size === 0) setImmediate(() => this.#seen.clear())
    this.#seen.add(party)
    return true
  }
}
