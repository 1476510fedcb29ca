import { Semaphore } from '../base/concurrency/semaphore.ts'
import type { Snapshot } from './cache.ts'
import type { StoredDocument } from './document.ts'

const maxSnapshots = 32
/** For all snapshots together, besides the current objects. */
const maxBytes = 64 * 1024 * 1024
const maxReaders = 4
const maxReadersOfParts = 1

interface Kept {
  readonly snapshot: Snapshot
  /** The size of objects held only by this snapshot. */
  readonly ownBytes: number
  /** The cache's `replacedBytes` at the time: the snapshot may hold objects replaced since then. */
  readonly replacedBytes: number
}

/** Recent states from which a paged list is still being read. They share unchanged objects. */
export class SnapshotKeeper {
  /** Reading the past holds all of it until unchanged objects are sorted out. */
  readonly #reading = new Semaphore(maxReaders)
  readonly #readingOfParts = new Semaphore(maxReadersOfParts)
  readonly #kept = new Map<number, Kept>()
  readonly #cache: { readonly replacedBytes: number }
  #oldest = 0

  constructor(cache: { readonly replacedBytes: number }) {
    this.#cache = cache
  }

  /** Any user may see a part: these readers have separate slots, and take none from readers who see everything. */
  reading({ seesPart }: { readonly seesPart: boolean }): Semaphore {
    return seesPart ? this.#readingOfParts : this.#reading
  }

  keep(revision: number, take: () => Snapshot, ownBytes = 0): void {
    if (revision < this.#oldest) return
    const { replacedBytes } = this.#cache
    if (!this.#kept.has(revision)) this.#kept.set(revision, { snapshot: take(), ownBytes, replacedBytes })
    for (const each of this.#kept.keys()) {
      const isTooMuch = this.#kept.size > maxSnapshots || this.#bytes() > maxBytes
      if (isTooMuch) this.#kept.delete(each)
    }
  }

  /** Drops what the store has dropped: otherwise the state of a list that no client continues would stay in memory. */
  forgetBefore(oldest: number): void {
    this.#oldest = oldest
    for (const revision of this.#kept.keys()) if (revision < oldest) this.#kept.delete(revision)
  }

  get(revision: number): Snapshot | undefined {
    return this.#kept.get(revision)?.snapshot
  }

  /** The object at that revision, if the most recently kept state has it. */
  find(key: string, revision: number): StoredDocument | undefined {
    const document = this.#last?.get(key)
    return document?.revision === revision ? document : undefined
  }

  get #last(): Snapshot | undefined {
    return [...this.#kept.values()].at(-1)?.snapshot
  }

  /** An upper bound. */
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
