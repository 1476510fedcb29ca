import { tooManyRequests } from '../../api/error.ts'

/**
 * Counts the requests that an API behind this server has not answered yet. One that answers none would otherwise keep all
 * places for requests, those of its neighbors too.
 */
export class PendingRequests {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** The returned function is to be called when the answer is there, or none will come. */
  enter(api: string): () => void {
    const count = this.#counts.get(api) ?? 0
    if (count >= this.#most) throw tooManyRequests(`the ${api} is behind with its answers`, 1)
    this.#counts.set(api, count + 1)
    return () => this.#leave(api)
  }

  #leave(api: string): void {
    const left = (this.#counts.get(api) ?? 1) - 1
    if (left === 0) this.#counts.delete(api)
    else this.#counts.set(api, left)
  }
}
