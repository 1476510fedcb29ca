import type { Clock } from '../../base/clock.ts'
import type { VerifyingKey } from '../../base/keys/keypair.ts'
import type { Log } from '../../base/log.ts'
import { rest } from '../../base/pause.ts'
import { RevisionCompacted, type Store, type StoreChange, StoreUnavailable } from '../../storage/contract.ts'
import { type AdminRecord, adminRecordKey, readAdminRecord } from './admin-record.ts'
import { type PublishedKey, publishedKeysPrefix, readPublished } from './published-keys.ts'
import { identityRoot } from './root.ts'

const retryMs = 500

/** The current state of what the replicas of a platform have agreed on. */
export class AgreedIdentity {
  readonly #store: Store
  readonly #log: Log
  readonly #stop = new AbortController()
  readonly #clock: Clock
  readonly #keys = new Map<string, PublishedKey>()
  #verifyingKeys: readonly VerifyingKey[] = []
  #admin: AdminRecord | undefined
  #onReplaced: (record: AdminRecord) => void = () => {}
  #running: Promise<void> = Promise.resolve()

  constructor(store: Store, { log, clock }: { readonly log: Log; readonly clock: Clock }) {
    this.#clock = clock
    this.#store = store
    this.#log = log
  }

  get admin(): AdminRecord | undefined {
    return this.#admin
  }

  /** Keys that verify tokens of service accounts. */
  get verifyingKeys(): readonly VerifyingKey[] {
    const nowMs = this.#clock.now()
    for (const [key, { endsAtMs }] of this.#keys) {
      if (endsAtMs !== undefined && endsAtMs <= nowMs) this.#setKey(key, undefined)
    }
    return this.#verifyingKeys
  }

  /** Called when another key becomes the administrator's key. */
  onAdminReplaced(listener: (record: AdminRecord) => void): void {
    this.#onReplaced = listener
  }

  async start(): Promise<void> {
    const revision = await this.#load()
    this.#running = this.#follow(revision)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #load(): Promise<number> {
    const { items, revision } = await this.#store.list(identityRoot)
    this.#keys.clear()
    for (const { key, value } of items) this.#put(key, value)
    if (!items.some(({ key }) => key === adminRecordKey)) this.#admin = undefined
    return revision
  }

  async #follow(from: number): Promise<void> {
    const { signal } = this.#stop
    let revision = from
    while (!signal.aborted) {
      try {
        for await (const batch of this.#store.watch(identityRoot, { afterRevision: revision, signal })) {
          for (const change of batch.changes) this.#apply(change)
          revision = batch.revision
        }
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof RevisionCompacted) revision = await this.#reload(revision)
        else if (error instanceof StoreUnavailable) await rest(retryMs, signal)
        else throw error
      }
    }
  }

  /** During an outage everything stays as it was; the reload is then repeated. */
  async #reload(revision: number): Promise<number> {
    try {
      return await this.#load()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await rest(retryMs, this.#stop.signal)
      return revision
    }
  }

  #apply({ type, key, value }: StoreChange): void {
    if (type !== 'deleted') this.#put(key, value)
    else if (key === adminRecordKey) this.#admin = undefined
    else this.#setKey(key, undefined)
  }

  #put(key: string, value: Uint8Array): void {
    if (key === adminRecordKey) this.#setAdmin(value)
    else if (key.startsWith(publishedKeysPrefix)) this.#setKey(key, readPublished(value))
  }

  #setKey(key: string, published: PublishedKey | undefined): void {
    if (published === undefined) this.#keys.delete(key)
    else this.#keys.set(key, published)
    this.#verifyingKeys = [...this.#keys.values()].map((each) => each.key)
  }

  /** If the record cannot be read, there is no administrator, and no key is accepted as theirs. */
  #setAdmin(value: Uint8Array): void {
    const before = this.#admin
    try {
      this.#admin = readAdminRecord(value)
    } catch (error) {
      this.#admin = undefined
      this.#log.error('there is no administrator', { error })
      return
    }
    if (before !== undefined && before.hash !== this.#admin.hash) this.#onReplaced(this.#admin)
  }
}
