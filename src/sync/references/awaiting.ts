/** Who waits for what, so that an owner is told when there is news of it. Names are words that the caller makes up. */
export class Awaiting {
  readonly #owners = new Map<string, Set<string>>()

  /** Until it is called off, or there is news. */
  add(owner: string, target: string): () => void {
    const owners = this.#owners.get(target) ?? new Set()
    this.#owners.set(target, owners.add(owner))
    return () => {
      owners.delete(owner)
      if (owners.size === 0 && this.#owners.get(target) === owners) this.#owners.delete(target)
    }
  }

  /** Who has waited for it. */
  take(target: string): Iterable<string> {
    const owners = this.#owners.get(target) ?? []
    this.#owners.delete(target)
    return owners
  }

  forget(isForgotten: (owner: string) => boolean): void {
    for (const [target, owners] of this.#owners) {
      for (const owner of owners) if (isForgotten(owner)) owners.delete(owner)
      if (owners.size === 0) this.#owners.delete(target)
    }
  }
}
