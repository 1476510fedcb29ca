/**
 * Handles one item at a time. Of the items that arrive meanwhile only the latest is kept, since it supersedes the
 * others.
 */
export class LatestOnly<T> {
  readonly #work: (item: T) => Promise<void>
  #isWorking = false
  #waiting: { readonly item: T } | undefined

  /** `work` must not fail. */
  constructor(work: (item: T) => Promise<void>) {
    this.#work = work
  }

  add(item: T): void {
    if (this.#isWorking) this.#waiting = { item }
    else void this.#run(item)
  }

  async #run(first: T): Promise<void> {
    this.#isWorking = true
    try {
      for (let next: { readonly item: T } | undefined = { item: first }; next !== undefined; next = this.#next()) {
        await this.#work(next.item)
      }
    } finally {
      this.#isWorking = false
    }
  }

  #next(): { readonly item: T } | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }
}
