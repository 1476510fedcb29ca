import type { Clock } from '../../base/clock.ts'

const firstMs = 5_000

export interface ProviderRestOptions {
  readonly clock: Clock
  readonly longestMs: number
}

/** Pauses calls to an unreachable provider, longer each time, so that its users do not wait for nothing. */
export class ProviderRest {
  readonly #options: ProviderRestOptions
  #pauseMs = 0
  #untilMs = 0

  constructor(options: ProviderRestOptions) {
    this.#options = options
  }

  get isOn(): boolean {
    return this.#options.clock.now() < this.#untilMs
  }

  /** When the provider may be asked again. Concurrent failures count once. */
  begin(): number {
    if (this.isOn) return this.#untilMs
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, firstMs), this.#options.longestMs)
    this.#untilMs = this.#options.clock.now() + this.#pauseMs
    return this.#untilMs
  }

  end(): void {
    this.#pauseMs = 0
    this.#untilMs = 0
  }
}
