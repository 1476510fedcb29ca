const none: ReadonlySet<string> = new Set()

/** Many sets, each of which exists only while it has members. */
export class SetsByKey {
  readonly #sets = new Map<string, Set<string>>()

  get isEmpty(): boolean {
    return this.#sets.size === 0
  }

  *all(): Iterable<string> {
    for (const set of this.#sets.values()) yield* set
  }

  of(key: string): ReadonlySet<string> {
    return this.#sets.get(key) ?? none
  }

  add(key: string, item: string): void {
    const known = this.#sets.get(key)
    if (known === undefined) this.#sets.set(key, new Set([item]))
    else known.add(item)
  }

  delete(key: string, item: string): void {
    const known = this.#sets.get(key)
    known?.delete(item)
    if (known?.size === 0) this.#sets.delete(key)
  }
}
