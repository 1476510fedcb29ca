import { tooManyRequests } from '../../api/error.ts'

/**
 * Counts the requests that an upstream has not answered yet. Otherwise, one that answers none would take all places,
 * including those of other upstreams.
 */
export class PendingRequests {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Call the returned function when the answer has arrived, or none will come. */
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
