import { join } from 'node:path'
import { type Clock, monotonicClock } from '../../base/clock.ts'
import { pause } from '../../base/pause.ts'
import { systemRandom } from '../../base/random.ts'
import { identityRoot } from '../../platform/identity/root.ts'
import { type Store, StoreUnavailable } from '../../storage/contract.ts'
import { keptSecret } from '../identity/kept-secret.ts'

const retryMs = 100
/** Longer than any change of files takes: the replica that began it has ended. */
const abandonedMs = 60_000

export interface DirectoryTurnOptions {
  readonly store: Store
  readonly directory: string
  readonly signal: AbortSignal
  readonly clock?: Clock
}

/**
 * Replicas on one store that share a data directory change its files one after the other. A turn that was not ended is
 * given to the next replica after a minute.
 */
export class DirectoryTurn {
  readonly #options: DirectoryTurnOptions

  constructor(options: DirectoryTurnOptions) {
    this.#options = options
  }

  async take<T>(act: () => Promise<T>): Promise<T> {
    const { store, directory } = this.#options
    if (store.soleWriter) return act()
    const { value: id } = await keptSecret(join(directory, 'directory.id'), async () => systemRandom.uuid())
    const key = `${identityRoot}directory-turns/${id}`
    const revision = await this.#begin(key)
    try {
      return await act()
    } finally {
      await this.#end(key, revision)
    }
  }

  async #begin(key: string): Promise<number> {
    const { store, signal, clock = monotonicClock } = this.#options
    let other: { readonly revision: number; readonly seenAtMs: number } | undefined
    for (;;) {
      const held = await store.get(key, { signal })
      if (held !== undefined && held.revision !== other?.revision)
        other = { revision: held.revision, seenAtMs: clock.now() }
      if (held === undefined || (other !== undefined && clock.now() - other.seenAtMs >= abandonedMs)) {
        const mark = Buffer.from(systemRandom.uuid())
        const result = held === undefined ? await store.create(key, mark) : await store.update(key, mark, held.revision)
        if (result.outcome === 'written') return result.revision
      }
      await pause(retryMs, signal)
    }
  }

  /** A turn that cannot be ended now counts as abandoned later. */
  async #end(key: string, revision: number): Promise<void> {
    try {
      await this.#options.store.delete(key, revision)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }
}
