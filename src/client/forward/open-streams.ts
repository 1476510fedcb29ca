import type { ForwardAnswer } from './contract.ts'
import { streamOf } from './give-up.ts'

/** How many requests are under way, and when none is. */
export class OpenStreams {
  readonly #onIdle: (() => void)[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  readonly begin = (): void => {
    this.#count += 1
  }

  readonly end = (): void => {
    this.#count -= 1
    if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  /** Counts a request until the last of its answer has come, or until it is clear that none will. */
  async counted(forwarding: Promise<ForwardAnswer>): Promise<ForwardAnswer> {
    this.begin()
    try {
      const answer = await forwarding
      const stream = streamOf(answer)
      if (stream.closed) this.end()
      else stream.once('close', this.end)
      return answer
    } catch (error) {
      this.end()
      throw error
    }
  }

  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }
}
