const most = 64
const mostBytes = 8 * 1024 * 1024

/** Writes that continue while more are begun, so that a store can commit many together. The first failure ends all. */
export class WritesUnderWay {
  readonly #pending = new Set<Promise<void>>()
  #bytes = 0
  #failure: { readonly error: unknown } | undefined

  /** Resolves when the next one may begin. */
  async begin(write: () => Promise<void>, bytes: number): Promise<void> {
    this.#throwIfFailed()
    this.#bytes += bytes
    const running = write()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#bytes -= bytes
        this.#pending.delete(running)
      })
    this.#pending.add(running)
    while (this.#pending.size >= most || this.#bytes >= mostBytes) await Promise.race(this.#pending)
    this.#throwIfFailed()
  }

  async ended(): Promise<void> {
    await Promise.all(this.#pending)
    this.#throwIfFailed()
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
