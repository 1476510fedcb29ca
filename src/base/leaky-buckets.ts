import { type Clock, neverBack } from './clock.ts'

export interface LeakyBucketOptions {
  readonly clock: Clock
  /** The number of drops that a bucket holds. */
  readonly burst: number
  /** How long one drop takes to leak away. */
  readonly refillMs: number
  /** How many buckets are remembered. The least recently used one is forgotten first. */
  readonly most: number
}

/** A bucket for each name: each use adds a drop, and one drop leaks away every `refillMs`. */
export class LeakyBuckets {
  readonly #options: LeakyBucketOptions
  /** When each bucket will be empty, by name; the most recently used one is last. */
  readonly #emptyAtMs = new Map<string, number>()
  readonly #elapsed: Clock

  constructor(options: LeakyBucketOptions) {
    this.#options = options
    this.#elapsed = neverBack(options.clock)
  }

  /** Adds the cost that a use turned out to have beyond its drop, however full the bucket is. */
  charge(name: string, drops: number): void {
    const nowMs = this.#elapsed.now()
    const { refillMs } = this.#options
    this.#remember(name, Math.max(this.#emptyAtMs.get(name) ?? nowMs, nowMs) + drops * refillMs)
  }

  /** Adds a drop if it fits. Returns how long until there is room for it; 0 if it was added. */
  add(name: string): number {
    const nowMs = this.#elapsed.now()
    const { burst, refillMs } = this.#options
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
