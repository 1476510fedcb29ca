import type { Clock } from '../../base/clock.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'

/** So many in one namespace at once, and then one in so much time. */
const burst = 1_000
const refillMs = 10
const mostNamespaces = 10_000

export interface Granted {
  readonly count: number
  /** When there may be more; undefined if none was asked for. */
  readonly nextInMs: number | undefined
}

/** How fast a controller makes objects: what ends as soon as it is there would otherwise be replaced without end. */
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
