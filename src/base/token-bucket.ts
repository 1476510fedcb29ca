export interface TokenBucketOptions {
  /** So many at once. */
  readonly burst: number
  /** So many in the long run. */
  readonly perSecond: number
  readonly now: () => number
}

/** How often something may happen. */
export class TokenBucket {
  readonly #options: TokenBucketOptions
  #tokens: number
  #atMs: number

  constructor(options: TokenBucketOptions) {
    this.#options = options
    this.#tokens = options.burst
    this.#atMs = options.now()
  }

  /** Whether it may happen now, once more. */
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
