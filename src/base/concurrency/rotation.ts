import { Fifo } from './fifo.ts'

/** Waiting items of several parties. Parties take turns, and each party's items leave in order of arrival. */
export class Rotation<T, Party = string> {
  /** The party whose turn it is comes first. Every party has items. */
  readonly #parties = new Map<Party, Fifo<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(party: Party, item: T): void {
    const items = this.#parties.get(party) ?? new Fifo<T>()
    items.push(item)
    this.#parties.set(party, items)
    this.#size += 1
  }

  /** The item that `take` would return. */
  peek(): T | undefined {
    const [items] = this.#parties.values()
    return items?.peek()
  }

  take(): T | undefined {
    const [next] = this.#parties
    if (next === undefined) return undefined
    const [party, items] = next
    this.#parties.delete(party)
    const item = items.shift()
    if (items.size > 0) this.#parties.set(party, items)
    this.#size -= 1
    return item
  }
}
