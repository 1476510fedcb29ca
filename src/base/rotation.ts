import { Fifo } from './fifo.ts'

/** Waiting items of several parties: one of each in turn, and of one party in the order in which they came. */
export class Rotation<T, Party = string> {
  /** The party whose turn it is comes first. None is without items. */
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

  /** What `take` would give. */
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
