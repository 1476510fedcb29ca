const shortMs = 1_000
const longMs = 30_000

/** Servers end a watch about as late as asked. */
const earlyMs = 2_000

/**
 * Detects whether a watch lasts: one that ends at once is worth little, one that continues shows that all is well again,
 * and one that ends before it should was ended by a server that stops.
 */
export class WatchStability {
  readonly #onLong: () => void
  #timers: readonly NodeJS.Timeout[] = []
  #isShort = true
  #isWhole = false

  constructor(onLong: () => void) {
    this.#onLong = onLong
  }

  get isShort(): boolean {
    return this.#isShort
  }

  /** Whether it lasted as long as asked. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  begin(askedSeconds: number): void {
    const pass = setTimeout(() => {
      this.#isShort = false
    }, shortMs)
    const whole = setTimeout(
      () => {
        this.#isWhole = true
      },
      askedSeconds * 1_000 - earlyMs,
    )
    this.#timers = [pass, whole, setTimeout(this.#onLong, longMs)]
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}
