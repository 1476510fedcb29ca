import type { VisibilityChanges } from '../../registry/contract.ts'

/** Above this number, notes about single users and groups become one note for all. */
const mostNotes = 10_000

/**
 * Records when the rights of users and groups changed for reasons other than a change of the objects themselves:
 * membership in a project or team, or a role. Their open watches end then and cannot be resumed: a client that tries
 * must list again, and so learns what became visible and what was hidden.
 */
export class ViewChanges {
  readonly #latest = new Map<string, number>()
  readonly #listeners = new Map<string, Set<() => void>>()
  #latestForAll = 0

  changed(who: Iterable<string>, revision: number): void {
    for (const each of who) {
      this.#latest.set(each, revision)
      this.#tell(each)
    }
    if (this.#latest.size > mostNotes) this.#forget(revision)
  }

  changedForAll(revision: number): void {
    this.#forget(revision)
    for (const each of [...this.#listeners.keys()]) this.#tell(each)
  }

  /** The changes that affect a user with these names. */
  of(who: readonly string[]): VisibilityChanges {
    return {
      latest: () => who.reduce((latest, each) => Math.max(latest, this.#latest.get(each) ?? 0), this.#latestForAll),
      listen: (listener) => this.#listen(who, listener),
    }
  }

  #forget(revision: number): void {
    this.#latestForAll = Math.max(this.#latestForAll, revision)
    this.#latest.clear()
  }

  #tell(who: string): void {
    for (const listener of [...(this.#listeners.get(who) ?? [])]) listener()
  }

  #listen(who: readonly string[], listener: () => void): () => void {
    for (const each of who) {
      const listeners = this.#listeners.get(each) ?? new Set()
      this.#listeners.set(each, listeners.add(listener))
    }
    return () => {
      for (const each of who) {
        const listeners = this.#listeners.get(each)
        listeners?.delete(listener)
        if (listeners?.size === 0) this.#listeners.delete(each)
      }
    }
  }
}
