import type { Pace } from '../../base/pace.ts'

/** For each name, the names whose removal it blocks. A name that blocks no others need not be a key. */
export type Holds = ReadonlyMap<string, readonly string[]>

interface Visit {
  readonly name: string
  /** The position in the order of visits. */
  readonly index: number
  /** The earliest visit known to be reachable from here. */
  lowest: number
  isOpen: boolean
  next: number
}

/**
 * The holds that never end because they form a cycle: those within one strongly connected component of the graph. This
 * is Tarjan's algorithm without recursion: it follows every hold once, and rests now and then.
 */
export async function deadlocked(holds: Holds, pace: Pace): Promise<Holds> {
  const search = new Search(holds)
  for (const name of holds.keys()) {
    for (let isDone = search.begin(name); !isDone; isDone = search.step()) if (pace.isDue()) await pace.rest()
  }
  return search.endless
}

class Search {
  readonly endless = new Map<string, readonly string[]>()
  readonly #holds: Holds
  readonly #visits = new Map<string, Visit>()
  /** From the start of the search to the current visit. */
  readonly #path: Visit[] = []
  /** Visits whose component is not known yet. */
  readonly #open: Visit[] = []

  constructor(holds: Holds) {
    this.#holds = holds
  }

  /** Returns whether there is nothing to do. */
  begin(name: string): boolean {
    if (this.#visits.has(name)) return true
    this.#enter(name)
    return false
  }

  /** Follows one hold, or goes back one step. Returns whether everything reachable has been seen. */
  step(): boolean {
    const visit = this.#path.at(-1)
    if (visit === undefined) return true
    const target = this.#holds.get(visit.name)?.[visit.next++]
    if (target === undefined) this.#leave(visit)
    else this.#follow(visit, target)
    return this.#path.length === 0
  }

  #enter(name: string): void {
    const index = this.#visits.size
    const visit = { name, index, lowest: index, isOpen: true, next: 0 }
    this.#visits.set(name, visit)
    this.#path.push(visit)
    this.#open.push(visit)
  }

  #follow(visit: Visit, target: string): void {
    const known = this.#visits.get(target)
    if (known === undefined) this.#enter(target)
    else if (known.isOpen) visit.lowest = Math.min(visit.lowest, known.index)
  }

  #leave(visit: Visit): void {
    this.#path.pop()
    const before = this.#path.at(-1)
    if (before !== undefined) before.lowest = Math.min(before.lowest, visit.lowest)
    if (visit.lowest === visit.index) this.#close(visit)
  }

  /** The visit and all open ones behind it form a component. */
  #close(first: Visit): void {
    const part = this.#open.splice(this.#open.lastIndexOf(first))
    const names = new Set(part.map(({ name }) => name))
    for (const visit of part) visit.isOpen = false
    for (const name of names) {
      const inside = (this.#holds.get(name) ?? []).filter((target) => names.has(target))
      if (inside.length > 0) this.endless.set(name, inside)
    }
  }
}
