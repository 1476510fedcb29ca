/** What Node sends an answer by. */
export interface EndedAnswer {
  end(body: Buffer | undefined): unknown
  destroy(): unknown
}

/**
 * Ends the answers of one turn of the event loop together, after the last of them: a client that waits for several is woken
 * once and not for each, which costs the server more than a small answer itself. The gate limits how many requests a turn has.
 */
export class AnswersOfTurn {
  #held: HeldAnswer[] = []

  readonly end = (outgoing: EndedAnswer, body: Buffer | undefined): void => {
    this.#held.push({ outgoing, body })
    if (this.#held.length === 1) setImmediate(this.endAll)
  }

  /** Those that are held are ended now: what comes next may end their connection. */
  readonly endAll = (): void => {
    const held = this.#held
    this.#held = []
    for (const answer of held) endOne(answer)
  }
}

interface HeldAnswer {
  readonly outgoing: EndedAnswer
  readonly body: Buffer | undefined
}

/** One answer that cannot be sent must not take the others along. */
function endOne({ outgoing, body }: HeldAnswer): void {
  try {
    outgoing.end(body)
  } catch {
    outgoing.destroy()
  }
}
