import type { KeyIndex, KeyRecord } from '../../auth/keys/contract.ts'
import type { KeySettings } from './parts.ts'
import { endMsOf } from './status.ts'

const lastPart = 0.1

/** Which keys are in the last tenth of their life. Keys without an end cost nothing. */
export class EndingSoon {
  readonly #index: KeyIndex
  readonly #settings: KeySettings
  /** By uid: how long the last part of the life is. */
  readonly #lastParts = new Map<string, { readonly name: string; readonly lastPartMs: number }>()

  constructor(index: KeyIndex, settings: KeySettings) {
    this.#index = index
    this.#settings = settings
  }

  put(record: KeyRecord): void {
    const endMs = endMsOf(record, this.#settings.maxLifetimeSeconds)
    const startMs = record.ttlAfterLastActivity ? (record.lastActivityMs ?? record.createdAtMs) : record.createdAtMs
    if (!Number.isFinite(endMs) || record.deletionRequested) this.#lastParts.delete(record.uid)
    else this.#lastParts.set(record.uid, { name: record.name, lastPartMs: (endMs - startMs) * lastPart })
  }

  remove(uid: string): void {
    this.#lastParts.delete(uid)
  }

  /** When the key ends, if that is soon. */
  endOf(uid: string, nowMs: number): number | undefined {
    const known = this.#lastParts.get(uid)
    if (known === undefined) return undefined
    const endMs = this.#index.expiresAtMs(uid)
    return endMs !== undefined && endMs > nowMs && endMs - nowMs <= known.lastPartMs ? endMs : undefined
  }

  *all(nowMs: number): Generator<{ readonly name: string; readonly uid: string; readonly endMs: number }> {
    for (const [uid, { name }] of this.#lastParts) {
      const endMs = this.endOf(uid, nowMs)
      if (endMs !== undefined) yield { name, uid, endMs }
    }
  }
}
