import type { Snapshot } from './cache.ts'

const maxSnapshots = 32
const maxAgeMs = 5 * 60_000

interface Kept {
  readonly snapshot: Snapshot
  readonly takenMs: number
}

/** States of the recent past that a paged list is still being read from. They share what has not changed since. */
export class SnapshotKeeper {
  readonly #kept = new Map<number, Kept>()

  keep(revision: number, take: () => Snapshot, nowMs: number): void {
    if (!this.#kept.has(revision)) this.#kept.set(revision, { snapshot: take(), takenMs: nowMs })
    for (const [each, { takenMs }] of this.#kept) {
      if (this.#kept.size > maxSnapshots || nowMs - takenMs > maxAgeMs) this.#kept.delete(each)
    }
  }

  get(revision: number): Snapshot | undefined {
    return this.#kept.get(revision)?.snapshot
  }
}
