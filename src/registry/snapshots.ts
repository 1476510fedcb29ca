import { FewAtATime } from '../base/few-at-a-time.ts'
import type { Snapshot } from './cache.ts'
import type { StoredDocument } from './document.ts'

const maxSnapshots = 32
const maxAgeMs = 5 * 60_000
/** What they may hold together besides the objects that there are now. */
const maxBytes = 64 * 1024 * 1024
const maxReaders = 4
const maxReadersOfParts = 1

interface Kept {
  readonly snapshot: Snapshot
  readonly takenMs: number
  /** Of objects that were made for it. */
  readonly ownBytes: number
  /** What the cache had let go of by then: the rest since, this snapshot may hold. */
  readonly replacedBytes: number
}

/** States of the recent past that a paged list is still being read from. They share what has not changed since. */
export class SnapshotKeeper {
  /** Reading the past holds all of it until it is sorted out. */
  readonly #reading = new FewAtATime(maxReaders)
  readonly #readingOfParts = new FewAtATime(maxReadersOfParts)
  readonly #kept = new Map<number, Kept>()
  readonly #cache: { readonly replacedBytes: number }

  constructor(cache: { readonly replacedBytes: number }) {
    this.#cache = cache
  }

  /** Every user may see a part: those who do have a place of their own, and take none from those who see all. */
  reading({ seesPart }: { readonly seesPart: boolean }): FewAtATime {
    return seesPart ? this.#readingOfParts : this.#reading
  }

  keep(revision: number, take: () => Snapshot, nowMs: number, ownBytes = 0): void {
    const { replacedBytes } = this.#cache
    if (!this.#kept.has(revision)) {
      this.#kept.set(revision, { snapshot: take(), takenMs: nowMs, ownBytes, replacedBytes })
    }
    for (const [each, { takenMs }] of this.#kept) {
      const isTooMuch = this.#kept.size > maxSnapshots || this.#bytes() > maxBytes
      if (isTooMuch || nowMs - takenMs > maxAgeMs) this.#kept.delete(each)
    }
  }

  get(revision: number): Snapshot | undefined {
    return this.#kept.get(revision)?.snapshot
  }

  /** The object as it stood at that revision, if the state that was kept last has it. */
  find(key: string, revision: number): StoredDocument | undefined {
    const document = this.#last?.get(key)
    return document?.revision === revision ? document : undefined
  }

  get #last(): Snapshot | undefined {
    return [...this.#kept.values()].at(-1)?.snapshot
  }

  /** At most. */
  #bytes(): number {
    let bytes = 0
    let oldest = this.#cache.replacedBytes
    for (const { ownBytes, replacedBytes } of this.#kept.values()) {
      bytes += ownBytes
      oldest = Math.min(oldest, replacedBytes)
    }
    return bytes + this.#cache.replacedBytes - oldest
  }
}
