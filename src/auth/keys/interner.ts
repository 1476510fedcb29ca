/** Keeps one copy of equal values, for as long as somebody holds it. */
export class Interner<T> {
  readonly #held = new Map<string, { readonly value: T; holders: number }>()
  readonly #textOf: (value: T) => string

  /** `textOf` gives the same text for equal values only. */
  constructor(textOf: (value: T) => string) {
    this.#textOf = textOf
  }

  /** The copy of the value that all hold, with one holder more. */
  hold(value: T): T {
    const text = this.#textOf(value)
    const known = this.#held.get(text)
    if (known === undefined) this.#held.set(text, { value, holders: 1 })
    else known.holders++
    return known?.value ?? value
  }

  /** One holder less. */
  release(value: T): void {
    const text = this.#textOf(value)
    const known = this.#held.get(text)
    if (known === undefined) return
    known.holders--
    if (known.holders === 0) this.#held.delete(text)
  }
}
