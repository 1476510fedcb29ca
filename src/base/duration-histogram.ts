/** Counts durations by upper bound. Recording takes a few additions; the text is assembled when it is read. */
export class DurationHistogram {
  readonly #boundsSeconds: readonly number[]
  readonly #buckets: number[]
  #count = 0
  #sumMs = 0

  constructor(boundsSeconds: readonly number[]) {
    this.#boundsSeconds = boundsSeconds
    this.#buckets = new Array<number>(boundsSeconds.length + 1).fill(0)
  }

  get count(): number {
    return this.#count
  }

  record(durationMs: number): void {
    this.#count++
    this.#sumMs += durationMs
    const bucket = this.#bucketOf(durationMs / 1000)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
  }

  /** In the text format of Prometheus. */
  lines(name: string, labels: string): readonly string[] {
    let below = 0
    const buckets = this.#boundsSeconds.map((bound, index) => {
      below += this.#buckets[index] ?? 0
      return `${name}_bucket{${labels},le="${bound}"} ${below}`
    })
    return [
      ...buckets,
      `${name}_bucket{${labels},le="+Inf"} ${this.#count}`,
      `${name}_sum{${labels}} ${this.#sumMs / 1000}`,
      `${name}_count{${labels}} ${this.#count}`,
    ]
  }

  #bucketOf(seconds: number): number {
    let index = 0
    for (const bound of this.#boundsSeconds) {
      if (seconds <= bound) return index
      index++
    }
    return index
  }
}
