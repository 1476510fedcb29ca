/** Items by their due time, the earliest first. The order of equal times is not defined. */
export class ExpiryQueue<T> {
  readonly #times: number[] = []
  readonly #items: T[] = []

  get earliestMs(): number | undefined {
    return this.#times[0]
  }

  push(atMs: number, item: T): void {
    let index = this.#times.length
    this.#times.push(atMs)
    this.#items.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (this.#timeAt(parent) <= atMs) break
      this.#swap(index, parent)
      index = parent
    }
  }

  /** The earliest item, if it is due. */
  popUntil(nowMs: number): { readonly atMs: number; readonly item: T } | undefined {
    const [atMs] = this.#times
    const [item] = this.#items
    if (atMs === undefined || item === undefined || atMs > nowMs) return undefined
    this.#swap(0, this.#times.length - 1)
    this.#times.pop()
    this.#items.pop()
    this.#sink()
    return { atMs, item }
  }

  #sink(): void {
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const earliest = this.#timeAt(left + 1) < this.#timeAt(left) ? left + 1 : left
      if (this.#timeAt(earliest) >= this.#timeAt(index)) return
      this.#swap(index, earliest)
      index = earliest
    }
  }

  #timeAt(index: number): number {
    return this.#times[index] ?? Number.POSITIVE_INFINITY
  }

  #swap(first: number, second: number): void {
    const [time, otherTime] = [this.#times[first], this.#times[second]]
    const [item, otherItem] = [this.#items[first], this.#items[second]]
    if (time === undefined || otherTime === undefined || item === undefined || otherItem === undefined) return
    this.#times[first] = otherTime
    this.#times[second] = time
    this.#items[first] = otherItem
    this.#items[second] = item
  }
}
