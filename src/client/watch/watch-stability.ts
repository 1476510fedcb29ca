const shortMs = 1_000
const longMs = 30_000

/**
 * Detects whether a watch lasts: one that ends at once is worth little, and one that continues shows that all is well
 * again.
 */
export class WatchStability {
  readonly #onLong: () => void
  #timers: readonly NodeJS.Timeout[] = []
  #isShort = true

  constructor(onLong: () => void) {
    this.#onLong = onLong
  }

  get isShort(): boolean {
    return this.#isShort
  }

  begin(): void {
    const pass = setTimeout(() => {
      this.#isShort = false
    }, shortMs)
    this.#timers = [pass, setTimeout(this.#onLong, longMs)]
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}
