/** Where an item of a bag is. */
export interface BagPlace<T> {
  readonly item: T
  /** Negative when it has been taken out. */
  at: number
}

/**
 * Items that come and go with every request, in no order. A Set that lives long would keep them for longer: each table of
 * it refers to the one that took its place, so that what they held stays until a full collection of garbage.
 */
export class Bag<T> implements Iterable<BagPlace<T>> {
  readonly #places: BagPlace<T>[] = []

  get size(): number {
    return this.#places.length
  }

  add(item: T): BagPlace<T> {
    const place = { item, at: this.#places.length }
    this.#places.push(place)
    return place
  }

  /** Whether it was still there. The last item takes its place. */
  remove(place: BagPlace<T>): boolean {
    const last = place.at < 0 ? undefined : this.#places.pop()
    if (last === undefined) return false
    if (last !== place) {
      this.#places[place.at] = last
      last.at = place.at
    }
    place.at = -1
    return true
  }

  /** Those that are there when it begins, and still are. */
  *[Symbol.iterator](): Iterator<BagPlace<T>> {
    for (const place of [...this.#places]) if (place.at >= 0) yield place
  }
}
