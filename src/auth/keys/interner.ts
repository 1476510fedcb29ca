/** Keeps one copy of values that have the same text, for as long as it has a holder. */
export class Interner<T> {
  readonly #held = new Map<string, { readonly value: T; holders: number }>()

  /** Adds a holder. A value without a holder is made first; undefined is not kept. */
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

  /** One holder less. */
  release(text: string): void {
    const known = this.#held.get(text)
    if (known === undefined) return
    known.holders--
    if (known.holders === 0) this.#held.delete(text)
  }
}
