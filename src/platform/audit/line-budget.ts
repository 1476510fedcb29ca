/** Lines allowed for one name: in a burst, and per minute after that. */
export interface Allowance {
  readonly atOnce: number
  readonly perMinute: number
}

interface Bucket {
  left: number
  atMs: number
  /** Lines left out since the last one that was written. */
  missed: number
}

/** Names beyond this number share one budget. */
const mostNames = 10_000
const others = 'others'

/** Limits the lines of each name. */
export class LineBudget {
  readonly #allowance: Allowance
  readonly #buckets = new Map<string, Bucket>()

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Whether the name has a line left. */
  take(name: string, nowMs: number): boolean {
    const bucket = this.#bucketOf(name, nowMs)
    const { atOnce, perMinute } = this.#allowance
    bucket.left = Math.min(atOnce, bucket.left + (Math.max(0, nowMs - bucket.atMs) * perMinute) / 60_000)
    bucket.atMs = nowMs
    if (bucket.left < 1) {
      bucket.missed++
      return false
    }
    bucket.left--
    return true
  }

  /** The names whose lines were left out since the last call, with the counts. Idle names are forgotten. */
  takeMissed(nowMs: number): readonly (readonly [name: string, missed: number])[] {
    const missed = [...this.#buckets].flatMap(([name, bucket]) => (bucket.missed > 0 ? [[name, bucket] as const] : []))
    const counts = missed.map(([name, bucket]) => [name, bucket.missed] as const)
    for (const [, bucket] of missed) bucket.missed = 0
    this.#forgetQuiet(nowMs)
    return counts
  }

  #bucketOf(name: string, nowMs: number): Bucket {
    const known = this.#buckets.get(name)
    if (known !== undefined) return known
    if (this.#buckets.size >= mostNames && name !== others) return this.#bucketOf(others, nowMs)
    const bucket = { left: this.#allowance.atOnce, atMs: nowMs, missed: 0 }
    this.#buckets.set(name, bucket)
    return bucket
  }

  #forgetQuiet(nowMs: number): void {
    const { atOnce, perMinute } = this.#allowance
    const fullAfterMs = (atOnce / perMinute) * 60_000
    for (const [name, { atMs }] of this.#buckets) if (nowMs - atMs > fullAfterMs) this.#buckets.delete(name)
  }
}
