import type { VisibilityChanges } from '../../registry/contract.ts'

/** Beyond it, what was noted of single users and groups becomes a note for all. */
const mostNotes = 10_000

/**
 * When users and groups came to see more or less than before for another reason than a change of the very objects: a
 * place in a project, a team, a role. What they have open is ended then, and what they have seen so far does not go on: a
 * client that resumes is told to list again, and so learns of what came into sight and what left it.
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

  /** Those that concern a user who goes by all of these. */
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
