/**
 * References of owners to targets. Names are chosen by the caller. A target is reported when its first reference is
 * added or its last one removed, so that it gets or loses its copy.
 */
export class ReferenceIndex {
  readonly #targetsOf = new Map<string, ReadonlySet<string>>()
  readonly #count = new Map<string, number>()
  /** Owners whose references are not known. */
  readonly #unknown = new Set<string>()
  readonly #changed: (target: string) => void

  constructor(changed: (target: string) => void) {
    this.#changed = changed
  }

  /** Whether the references of all owners are known. */
  get isComplete(): boolean {
    return this.#unknown.size === 0
  }

  isReferenced(target: string): boolean {
    return this.#count.has(target)
  }

  set(owner: string, targets: ReadonlySet<string>): void {
    this.#unknown.delete(owner)
    const before = this.#targetsOf.get(owner)
    if (targets.size === 0) this.#targetsOf.delete(owner)
    else this.#targetsOf.set(owner, targets)
    for (const target of targets) if (before?.has(target) !== true) this.#add(target, 1)
    for (const target of before ?? []) if (!targets.has(target)) this.#add(target, -1)
  }

  /** Keeps the owner's known references. If there are none, no reference counts as removed until the owner is known. */
  setUnknown(owner: string): void {
    if (!this.#targetsOf.has(owner)) this.#unknown.add(owner)
  }

  /** Forgets owners of a kind that is no longer synced. */
  forget(isForgotten: (owner: string) => boolean): void {
    for (const owner of [...this.#targetsOf.keys(), ...this.#unknown]) {
      if (isForgotten(owner)) this.set(owner, new Set())
    }
  }

  #add(target: string, difference: 1 | -1): void {
    const before = this.#count.get(target) ?? 0
    const after = before + difference
    if (after === 0) this.#count.delete(target)
    else this.#count.set(target, after)
    if (before === 0 || after === 0) this.#changed(target)
  }
}
