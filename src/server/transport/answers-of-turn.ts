/** The part of Node's response that ends an answer. */
export interface EndedAnswer {
  end(body: Buffer | undefined): unknown
  destroy(): unknown
}

/**
 * Ends the answers of one iteration of the event loop together, after the last of them: a client that waits for several
 * is woken once, which costs less than once for each. The gate limits the requests per iteration.
 */
export class AnswersOfTurn {
  #held: HeldAnswer[] = []

  readonly end = (outgoing: EndedAnswer, body: Buffer | undefined): void => {
    this.#held.push({ outgoing, body })
    if (this.#held.length === 1) setImmediate(this.endAll)
  }

  /** Ends held answers now: the next action may end their connection. */
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

/** An answer that cannot be sent must not affect the others. */
function endOne({ outgoing, body }: HeldAnswer): void {
  try {
    outgoing.end(body)
  } catch {
    outgoing.destroy()
  }
}
