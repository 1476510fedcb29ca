/** Enough for the names that Pods ask for again and again. */
const mostRemembered = 4_096
/** Resolvers do not send longer ones. */
const longestQuestion = 300
const idBytes = 2

/** Replies to questions that differ only in their id. They are valid until something changes. */
export class RecentReplies {
  readonly #replies = new Map<string, Buffer>()
  #version: unknown

  /** A copy with the id of the question. */
  find(question: Buffer, version: unknown): Buffer | undefined {
    if (version !== this.#version) return undefined
    const known = this.#replies.get(questionKey(question))
    if (known === undefined) return undefined
    const reply = Buffer.allocUnsafe(known.length)
    known.copy(reply)
    question.copy(reply, 0, 0, idBytes)
    return reply
  }

  remember(question: Buffer, version: unknown, reply: Buffer): void {
    if (question.length > longestQuestion) return
    if (version !== this.#version || this.#replies.size >= mostRemembered) this.#replies.clear()
    this.#version = version
    this.#replies.set(questionKey(question), reply)
  }
}

function questionKey(question: Buffer): string {
  return question.toString('latin1', idBytes)
}
