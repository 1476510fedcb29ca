/** The position of an item in a bag. */
export interface BagPlace<T> {
  readonly item: T
  /** Negative once the item has been removed. */
  at: number
}

/**
 * An unordered collection for items that come and go with every request. A long-lived Set would retain them for longer:
 * each of its internal tables refers to its successor, so removed items survive until a full garbage collection.
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

  /** Returns whether the item was still in the bag. The last item takes its position. */
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

  /** Yields the items present when the iteration starts, except those removed meanwhile. */
  *[Symbol.iterator](): Iterator<BagPlace<T>> {
    for (const place of [...this.#places]) if (place.at >= 0) yield place
  }
}
