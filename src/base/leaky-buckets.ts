import type { Clock } from './clock.ts'

export interface LeakyBucketOptions {
  readonly clock: Clock
  /** Drops that a bucket holds. */
  readonly burst: number
  /** How long one drop takes to leak away. */
  readonly refillMs: number
  /** Buckets that are remembered; the one that was used longest ago is forgotten first. */
  readonly most: number
}

/** A bucket for each name: each use adds a drop, and one leaks away every `refillMs`. */
export class LeakyBuckets {
  readonly #options: LeakyBucketOptions
  /** By name: when the bucket will be empty, the latest use last. */
  readonly #emptyAtMs = new Map<string, number>()

  constructor(options: LeakyBucketOptions) {
    this.#options = options
  }

  /** Adds what a use has turned out to cost besides its drop, however full the bucket is. */
  charge(name: string, drops: number): void {
    const { clock, refillMs } = this.#options
    const nowMs = clock.now()
    this.#remember(name, Math.max(this.#emptyAtMs.get(name) ?? nowMs, nowMs) + drops * refillMs)
  }

  /** How long until there is room for what did not fit in; 0 if it did. */
  add(name: string): number {
    const { clock, burst, refillMs } = this.#options
    const nowMs = clock.now()
    const emptyAtMs = Math.max(this.#emptyAtMs.get(name) ?? nowMs, nowMs) + refillMs
    const excessMs = Math.max(emptyAtMs - nowMs - burst * refillMs, 0)
    this.#remember(name, excessMs > 0 ? emptyAtMs - refillMs : emptyAtMs)
    return excessMs
  }

  #remember(name: string, emptyAtMs: number): void {
    this.#emptyAtMs.delete(name)
    this.#emptyAtMs.set(name, emptyAtMs)
    const [oldest] = this.#emptyAtMs.keys()
    if (this.#emptyAtMs.size > this.#options.most && oldest !== undefined) this.#emptyAtMs.delete(oldest)
  }
}
