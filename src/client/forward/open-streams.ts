import type { ForwardAnswer } from './contract.ts'
import { streamOf } from './give-up.ts'

/** Counts requests under way, and reports when there are none. */
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

  /** Counts a request until its answer has arrived completely, or none will arrive. */
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
