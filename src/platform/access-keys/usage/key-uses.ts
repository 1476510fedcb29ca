import type { KubeObject } from '../../../api/object.ts'
import type { KeyIndex, KeyUsage, RecordedUse } from '../../../auth/keys/contract.ts'
import { mergedUsage } from '../../../auth/keys/usage/merge-uses.ts'
import { UsageLog } from '../../../auth/keys/usage/usage-log.ts'
import { refusingWhenUnavailable } from '../../../registry/unavailable.ts'
import type { AuditRecord } from '../../../server/contract.ts'
import type { Store } from '../../../storage/contract.ts'
import { keyUsesOf } from './key-use.ts'
import { UsageStore } from './usage-store.ts'

/** Limit of uses waiting to be stored, over all keys. */
const mostWaiting = 100_000

export interface KeyUsesOptions {
  readonly store: Store
  readonly index: Pick<KeyIndex, 'has'>
  /** How often uses are stored; a crash loses at most this much. */
  readonly intervalSeconds: number
}

/** Uses of a key at all replicas, including those from before they started. */
export interface UsageSince extends KeyUsage {
  /** Earlier uses are not known. */
  readonly sinceMs: number
  /** Uses at other replicas that are more recent than this may be missing. */
  readonly delaySeconds: number
}

/** Recorded uses of keys: those stored, and those still in memory. */
export class KeyUses {
  readonly #options: KeyUsesOptions
  readonly #log: UsageLog
  readonly #stored: UsageStore
  readonly #beingStored = new Map<string, readonly RecordedUse[]>()

  constructor(options: KeyUsesOptions) {
    this.#options = options
    this.#log = new UsageLog({ waitMs: options.intervalSeconds * 1000, mostInAll: mostWaiting })
    this.#stored = new UsageStore(options.store)
  }

  /** Refused requests are not uses, and a deleted key has no record. Uses of a session count for its key. */
  note(record: AuditRecord): void {
    const { credential } = record.user
    const uid = credential?.startedWith?.keyUid ?? credential?.keyUid
    if (uid === undefined || !record.isAuthorized || !this.isOfKnownKey(uid)) return
    for (const use of keyUsesOf(record)) this.#log.record(uid, use, record.finishedAtMs)
  }

  async of({ metadata }: KubeObject, nowMs: number): Promise<UsageSince> {
    const { uid = '', creationTimestamp } = metadata
    const createdMs = Date.parse(creationTimestamp ?? '')
    // Memory is read first: a use that is stored meanwhile is then seen twice, which is harmless, but never missed.
    const here = [this.#beingStored.get(uid) ?? [], this.#log.of(uid)]
    const reading = Promise.all([this.#stored.read(uid), this.#stored.beginningMs(nowMs)])
    const [stored, beginningMs] = await refusingWhenUnavailable(reading)
    return {
      ...mergedUsage(stored, ...here),
      sinceMs: Math.max(createdMs, beginningMs),
      delaySeconds: this.#options.store.soleWriter ? 0 : this.#options.intervalSeconds,
    }
  }

  async begin(nowMs: number): Promise<void> {
    await this.#stored.beginningMs(nowMs)
  }

  due(nowMs: number): readonly string[] {
    return this.#log.due(nowMs)
  }

  /** Keys with uses that are not stored yet. */
  waiting(): readonly string[] {
    return [...new Set([...this.#beingStored.keys(), ...this.#log.uids()])]
  }

  /** Stores the recent uses of a key. If that fails, they are stored with the next attempt. */
  async store(uid: string, nowMs: number): Promise<void> {
    const uses = this.#log.take(uid)
    if (uses.length === 0) return
    this.#beingStored.set(uid, uses)
    try {
      await this.#stored.add(uid, uses)
    } catch (error) {
      if (this.isOfKnownKey(uid)) this.#log.putBack(uid, uses, nowMs)
      throw error
    } finally {
      this.#beingStored.delete(uid)
    }
    if (!this.isOfKnownKey(uid)) await this.remove(uid)
  }

  async remove(uid: string): Promise<void> {
    this.#log.forget(uid)
    await this.#stored.remove(uid)
  }

  /** Deleted keys that still have a record. */
  strays(signal: AbortSignal): Promise<readonly string[]> {
    return this.#stored.unknown((uid) => this.isOfKnownKey(uid), signal)
  }

  isOfKnownKey(uid: string): boolean {
    return this.#options.index.has(uid)
  }
}
