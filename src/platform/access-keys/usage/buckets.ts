export interface Bucket {
  readonly startMs: number
  allowed: number
  refused: number
}

/** Equal time spans that count events; the last span ends now. Later events count as now. */
export class Buckets {
  readonly #spanMs: number
  readonly #startMs: number
  readonly list: readonly Bucket[]

  constructor(untilMs: number, spanMs: number, count: number) {
    this.#spanMs = spanMs
    this.#startMs = untilMs - spanMs * count
    this.list = Array.from({ length: count }, (_, index) => ({
      startMs: this.#startMs + index * spanMs,
      allowed: 0,
      refused: 0,
    }))
  }

  get startMs(): number {
    return this.#startMs
  }

  count(ms: number, isAllowed: boolean): void {
    const position = Math.floor((ms - this.#startMs) / this.#spanMs)
    const bucket = this.list[Math.min(position, this.list.length - 1)]
    if (bucket === undefined) return
    if (isAllowed) bucket.allowed += 1
    else bucket.refused += 1
  }
}
