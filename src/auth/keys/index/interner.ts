/** Keeps one copy of values with the same text, as long as it has a holder. */
export class Interner<T> {
  readonly #held = new Map<string, { readonly value: T; holders: number }>()

  /** Adds a holder. Without an earlier holder, the value is created; undefined is not kept. */
  hold<U extends T | undefined>(text: string, make: () => U): T | U {
    const known = this.#held.get(text)
    if (known !== undefined) {
      known.holders++
      return known.value
    }
    const value = make()
    if (value !== undefined) this.#held.set(text, { value, holders: 1 })
    return value
  }

  release(text: string): void {
    const known = this.#held.get(text)
    if (known === undefined) return
    known.holders--
    if (known.holders === 0) this.#held.delete(text)
  }
}
