/** Owners that wait for targets, so that they are requeued when a target changes. Names are chosen by the caller. */
export class Awaiting {
  readonly #owners = new Map<string, Set<string>>()

  /** Waits until the target changes, or the returned function is called. */
  add(owner: string, target: string): () => void {
    const owners = this.#owners.get(target) ?? new Set()
    this.#owners.set(target, owners.add(owner))
    return () => {
      owners.delete(owner)
      if (owners.size === 0 && this.#owners.get(target) === owners) this.#owners.delete(target)
    }
  }

  /** The owners that waited for the target. */
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
