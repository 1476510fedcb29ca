import type { RecordedUse } from '../../../auth/keys/contract.ts'
import { mergedUsage } from '../../../auth/keys/usage/merge-uses.ts'
import type { Store } from '../../../storage/contract.ts'
import { decodedUses, encodedUses } from './stored-usage.ts'

const root = '/key-usage/'
const beginningKey = `${root}beginning`
const recordsPrefix = `${root}of/`

/** One small record for each key that was ever used, shared by all replicas and read only on demand. */
export class UsageStore {
  readonly #store: Store
  #beginningMs: number | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** When recording of uses began: at the first start of a version that records them. */
  async beginningMs(nowMs: number): Promise<number> {
    this.#beginningMs ??= await this.#begin(nowMs)
    return this.#beginningMs
  }

  async #begin(nowMs: number): Promise<number> {
    const known = await this.#store.get(beginningKey)
    if (known !== undefined) return timeIn(known.value, nowMs)
    const result = await this.#store.create(beginningKey, Buffer.from(String(nowMs)))
    return result.outcome === 'conflict' && result.current !== undefined ? timeIn(result.current.value, nowMs) : nowMs
  }

  async read(uid: string): Promise<readonly RecordedUse[]> {
    const stored = await this.#store.get(recordsPrefix + uid)
    return stored === undefined ? [] : decodedUses(stored.value)
  }

  /** Other replicas may add to the same record concurrently; no addition is lost. */
  async add(uid: string, uses: readonly RecordedUse[]): Promise<void> {
    const key = recordsPrefix + uid
    for (let stored = await this.#store.get(key); ; ) {
      const known = stored === undefined ? [] : decodedUses(stored.value)
      const value = encodedUses(mergedUsage(known, uses).uses)
      const result =
        stored === undefined
          ? await this.#store.create(key, value)
          : await this.#store.update(key, value, stored.revision)
      if (result.outcome === 'written') return
      stored = result.current
    }
  }

  async remove(uid: string): Promise<void> {
    const key = recordsPrefix + uid
    for (let stored = await this.#store.get(key); stored !== undefined; ) {
      const result = await this.#store.delete(key, stored.revision)
      stored = result.outcome === 'written' ? undefined : result.current
    }
  }

  /** Keys that have a record but are not known. */
  async unknown(isKnown: (uid: string) => boolean, signal: AbortSignal): Promise<readonly string[]> {
    const uids: string[] = []
    await this.#store.list(recordsPrefix, {
      signal,
      each: ({ key }) => {
        const uid = key.slice(recordsPrefix.length)
        if (!isKnown(uid)) uids.push(uid)
      },
    })
    return uids
  }
}

/** A damaged value tells nothing, so recording counts as begun now. */
function timeIn(value: Uint8Array, nowMs: number): number {
  const time = Number(Buffer.from(value).toString())
  return Number.isFinite(time) ? time : nowMs
}
