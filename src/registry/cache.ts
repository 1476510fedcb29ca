import type { Kind } from '../api/kind.ts'
import { type SortedMap, sortedMap } from '../base/sorted-map.ts'
import type { Store, StoreChange, StoredValue } from '../storage/contract.ts'
import { type ObjectId, StoredDocument } from './document.ts'
import type { FeedConsumer, ReloadedState } from './feed.ts'
import { type Memory, sharedMemory } from './memory.ts'
import { parseRelativeKey, relativeKey, storagePrefix } from './storage-key.ts'
import { ChangeEvent } from './watch/event.ts'
import { History } from './watch/history.ts'

/** The objects of one kind at one point in time, ordered by namespace and name. Taking a snapshot is free. */
export type Snapshot = SortedMap<StoredDocument>

export type CacheListener = (events: readonly ChangeEvent[]) => void

/** Reports what a cache skips: an object that its kind cannot show, or a listener that failed. */
export type ReportTrouble = (subject: string, error: unknown) => void

/** Objects of a batch that a report names. */
const mostNamed = 3

interface State {
  readonly documents: Snapshot
  /** The same documents by key, for constant-time lookup. */
  readonly byKey: Map<string, StoredDocument>
  readonly revision: number
}

/** All objects of one kind, encoded, in memory. Only the store's change stream writes to it. */
export class Cache implements FeedConsumer {
  readonly kind: Kind
  readonly prefix: string
  readonly history = new History()
  readonly #store: Store
  readonly #report: ReportTrouble
  readonly #listeners = new Set<CacheListener>()
  readonly #lateListeners = new Set<CacheListener>()
  /** Events that late listeners have not received yet. */
  #unsettled: readonly ChangeEvent[] = []
  readonly #reloadListeners: (() => void)[] = []
  #replacedBytes = 0
  #documents: Snapshot = sortedMap<StoredDocument>()
  #byKey = new Map<string, StoredDocument>()
  #loadedRevision = 0
  /** Changes that arrive while the cache is loading. */
  #waiting: StoreChange[] | undefined

  constructor(kind: Kind, store: Store, report: ReportTrouble = () => {}) {
    this.kind = kind
    this.prefix = storagePrefix(kind)
    this.#store = store
    this.#report = report
  }

  get size(): number {
    return this.#documents.size
  }

  get(id: ObjectId): StoredDocument | undefined {
    return this.#byKey.get(relativeKey(id))
  }

  /** The current object, if it has that revision. */
  find(key: string, revision: number): StoredDocument | undefined {
    const document = this.#byKey.get(key)
    return document?.revision === revision ? document : undefined
  }

  /** The size of all objects replaced or deleted since the start. */
  get replacedBytes(): number {
    return this.#replacedBytes
  }

  snapshot(): Snapshot {
    return this.#documents.clone()
  }

  /** The current objects. Read them synchronously: the next change alters them. */
  current(): Snapshot {
    return this.#documents
  }

  storageKey(id: ObjectId): string {
    return this.prefix + relativeKey(id)
  }

  document(stored: Pick<StoredValue, 'key' | 'value' | 'revision'>, memory?: Memory): StoredDocument {
    const id = parseRelativeKey(stored.key.slice(this.prefix.length))
    return new StoredDocument(this.kind, id, stored.value, stored.revision, memory)
  }

  /**
   * Called with the events of each batch, in order, before callers that wait for their revision continue. Without
   * listeners, a load does not compute what has changed.
   */
  listen(listener: CacheListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Called with the same events after the regular listeners of all kinds have received everything that arrived
   * together.
   */
  listenLate(listener: CacheListener): void {
    this.#lateListeners.add(listener)
  }

  /** Called before the state is replaced without a history that leads to it. */
  onReload(listener: () => void): void {
    this.#reloadListeners.push(listener)
  }

  async load(): Promise<void> {
    this.#waiting ??= []
    this.#take(await this.#read(undefined))
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    this.apply(waiting)
    this.settle()
  }

  /**
   * Reloads after a gap. The order of the changes in between is unknown, but their sum is known, and is reported as if
   * it happened now.
   */
  async reload(atRevision: number | undefined): Promise<ReloadedState> {
    const state = await this.#read(atRevision)
    const take = () => {
      for (const listener of this.#reloadListeners) listener()
      this.#take(state)
    }
    return { revision: state.revision, take }
  }

  async #read(atRevision: number | undefined): Promise<State> {
    const documents: Snapshot = sortedMap<StoredDocument>()
    const byKey = new Map<string, StoredDocument>()
    const memory = sharedMemory()
    const each = (item: StoredValue): void => {
      const document = this.#documentIfPossible(item, memory)
      if (document === undefined) return
      const key = item.key.slice(this.prefix.length)
      documents.set(key, document)
      byKey.set(key, document)
    }
    const options = atRevision === undefined ? { each } : { each, atRevision }
    const { revision } = await this.#store.list(this.prefix, options)
    return { documents, byKey, revision }
  }

  /** Does nothing if a newer state was taken while this one was read. */
  #take({ documents, byKey, revision }: State): void {
    if (revision < this.#loadedRevision) return
    const before = this.#documents
    this.#documents = documents
    this.#byKey = byKey
    this.#loadedRevision = revision
    this.history.restart(revision)
    if (this.#listeners.size > 0) this.#tell(differences(before, documents, revision))
  }

  apply(changes: readonly StoreChange[]): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(...changes)
      return
    }
    const events = changes
      .filter((change) => change.revision > this.#loadedRevision)
      .flatMap((change) => this.#applyOne(change) ?? [])
    if (events.length === 0) return
    this.history.append(events)
    this.#tell(events)
    this.#unsettled = this.#unsettled.length === 0 ? events : [...this.#unsettled, ...events]
  }

  settle(): void {
    const events = this.#unsettled
    if (events.length === 0) return
    this.#unsettled = []
    for (const listener of this.#lateListeners) this.#call(listener, events)
  }

  #tell(events: readonly ChangeEvent[]): void {
    if (events.length > 0) for (const listener of this.#listeners) this.#call(listener, events)
  }

  /**
   * Runs a listener's work on one object. A failure is reported, `otherwise` sets the fallback, and the next object has
   * its turn: state that many requests depend on must not stop at one object.
   */
  attempt(id: ObjectId, work: () => void, otherwise: () => void = () => {}): void {
    try {
      work()
    } catch (error) {
      this.#report(`${this.kind.plural} ${relativeKey(id)}`, error)
      otherwise()
    }
  }

  /** A failing listener must not stop the feed of all kinds or the other listeners. */
  #call(listener: CacheListener, events: readonly ChangeEvent[]): void {
    try {
      listener(events)
    } catch (error) {
      const names = events.slice(0, mostNamed).map(({ document }) => relativeKey(document))
      this.#report(`${this.kind.plural} ${names.join(', ')}`, error)
    }
  }

  /** An object that the kind cannot show counts as absent: it must not keep the server from running. */
  #documentIfPossible(stored: Pick<StoredValue, 'key' | 'value' | 'revision'>, memory?: Memory) {
    try {
      return this.document(stored, memory)
    } catch (error) {
      this.#report(stored.key, error)
      return undefined
    }
  }

  /** Undefined: nothing visible changes. */
  #applyOne(change: StoreChange): ChangeEvent | undefined {
    const key = change.key.slice(this.prefix.length)
    const shown = this.#documentIfPossible(change)
    const previous = this.#byKey.get(key)
    this.#replacedBytes += previous?.bytes ?? 0
    const document = shown ?? previous?.at(change.revision)
    if (document === undefined) return undefined
    if (change.type === 'deleted' || shown === undefined) {
      this.#byKey.delete(key)
      this.#documents.delete(key)
      return new ChangeEvent('DELETED', document, previous)
    }
    this.#byKey.set(key, document)
    this.#documents.set(key, document)
    return new ChangeEvent(previous === undefined ? 'ADDED' : 'MODIFIED', document, previous)
  }
}

function differences(before: Snapshot, after: Snapshot, revision: number): ChangeEvent[] {
  const events: ChangeEvent[] = []
  before.forEach((document, key) => {
    if (!after.has(key)) events.push(new ChangeEvent('DELETED', document.at(revision), document))
  })
  after.forEach((document, key) => {
    const old = before.get(key)
    if (old?.revision !== document.revision) {
      events.push(new ChangeEvent(old === undefined ? 'ADDED' : 'MODIFIED', document, old))
    }
  })
  return events.sort((left, right) => left.revision - right.revision)
}
