export interface TokenBucketOptions {
  /** How many may happen at once. */
  readonly burst: number
  /** How many may happen in the long run. */
  readonly perSecond: number
  readonly now: () => number
}

/** Limits how often something may happen. */
export class TokenBucket {
  readonly #options: TokenBucketOptions
  #tokens: number
  #atMs: number

  constructor(options: TokenBucketOptions) {
    this.#options = options
    this.#tokens = options.burst
    this.#atMs = options.now()
  }

  /** Whether it may happen once more now. */
  take(): boolean {
    const { burst, perSecond, now } = this.#options
    const nowMs = now()
    const earned = (Math.max(0, nowMs - this.#atMs) / 1000) * perSecond
    this.#tokens = Math.min(burst, this.#tokens + earned)
    this.#atMs = nowMs
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
