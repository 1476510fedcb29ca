/**
 * Ends the answers of one turn of the event loop together, after the last of them: a client that waits for several is woken
 * once and not for each, which costs the server more than a small answer itself. The gate limits how many requests a turn has.
 */
export class AnswersOfTurn {
  #held: (() => void)[] = []

  readonly end = (write: () => void): void => {
    this.#held.push(write)
    if (this.#held.length === 1) setImmediate(this.#writeAll)
  }

  readonly #writeAll = (): void => {
    const held = this.#held
    this.#held = []
    for (const write of held) write()
  }
}
