import type { Clock } from '../../base/clock.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'

/** How many may be created in one namespace at once, and the time per further one. */
const burst = 1_000
const refillMs = 10
const mostNamespaces = 10_000

export interface Granted {
  readonly count: number
  /** When more may be created; undefined if none was requested. */
  readonly nextInMs: number | undefined
}

/**
 * Limits how fast a controller creates objects: one that ends as soon as it is created would otherwise be replaced
 * without end.
 */
export class CreationRate {
  readonly #buckets: LeakyBuckets

  constructor(clock: Clock) {
    this.#buckets = new LeakyBuckets({ clock, burst, refillMs, most: mostNamespaces })
  }

  take(namespace: string, wanted: number): Granted {
    for (let count = 0; count < wanted; count++) {
      const nextInMs = this.#buckets.add(namespace)
      if (nextInMs > 0) return { count, nextInMs }
    }
    return { count: wanted, nextInMs: undefined }
  }
}
