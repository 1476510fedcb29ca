import type { Kind } from '../api/kind.ts'
import { type SortedMap, sortedMap } from '../base/sorted-map.ts'
import type { Store, StoreChange, StoredValue } from '../storage/contract.ts'
import { type ObjectId, StoredDocument } from './document.ts'
import type { FeedConsumer, ReloadedState } from './feed.ts'
import { type Memory, sharedMemory } from './memory.ts'
import { parseRelativeKey, relativeKey, storagePrefix } from './storage-key.ts'
import { ChangeEvent } from './watch/event.ts'
import { History } from './watch/history.ts'

/** The objects of one kind at one moment, ordered by namespace and name. A snapshot costs nothing to take. */
export type Snapshot = SortedMap<StoredDocument>

export type CacheListener = (events: readonly ChangeEvent[]) => void

/** Told what a cache goes on without: an object that its kind cannot show, or a listener that failed. */
export type ReportTrouble = (subject: string, error: unknown) => void

/** Of the objects of a batch, in a report. */
const mostNamed = 3

interface State {
  readonly documents: Snapshot
  /** The same documents for those who know the key: found in one step however many there are. */
  readonly byKey: Map<string, StoredDocument>
  readonly revision: number
}

/** All objects of one kind, encoded, in memory; fed by the store's change stream and never written otherwise. */
export class Cache implements FeedConsumer {
  readonly kind: Kind
  readonly prefix: string
  readonly history = new History()
  readonly #store: Store
  readonly #report: ReportTrouble
  readonly #listeners = new Set<CacheListener>()
  readonly #lateListeners = new Set<CacheListener>()
  /** What late listeners have yet to be told. */
  #unsettled: readonly ChangeEvent[] = []
  readonly #reloadListeners: (() => void)[] = []
  #replacedBytes = 0
  #documents: Snapshot = sortedMap<StoredDocument>()
  #byKey = new Map<string, StoredDocument>()
  #loadedRevision = 0
  /** Changes that arrive while the cache is being loaded. */
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

  /** The current object, if it is of that revision. */
  find(key: string, revision: number): StoredDocument | undefined {
    const document = this.#byKey.get(key)
    return document?.revision === revision ? document : undefined
  }

  /** Of all objects that others have taken the place of since the start, or that were deleted. */
  get replacedBytes(): number {
    return this.#replacedBytes
  }

  snapshot(): Snapshot {
    return this.#documents.clone()
  }

  /** The current objects, to be read at once: the next change alters them. */
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
   * Called with the events of each batch, in order, before callers that wait for their revision continue. If there is no
   * listener, a load does not compute what it changed.
   */
  listen(listener: CacheListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called with the same events when the other listeners of all kinds know what came together with them. */
  listenLate(listener: CacheListener): void {
    this.#lateListeners.add(listener)
  }

  /** Called when the state is about to be another one without a history that leads to it. */
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

  /** After a gap: what changed meanwhile is unknown in order but known in sum, and told as if it had happened now. */
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

  /** Unless a newer one was taken while this one was read. */
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
   * Work of a listener on one object. If that fails it is reported, `otherwise` says what holds then, and the next object has its turn:
   * what many requests depend on must not stop at one object.
   */
  attempt(id: ObjectId, work: () => void, otherwise: () => void = () => {}): void {
    try {
      work()
    } catch (error) {
      this.#report(`${this.kind.plural} ${relativeKey(id)}`, error)
      otherwise()
    }
  }

  /** Whatever one of them makes of an object, the feed of all kinds goes on, and so do the others. */
  #call(listener: CacheListener, events: readonly ChangeEvent[]): void {
    try {
      listener(events)
    } catch (error) {
      const names = events.slice(0, mostNamed).map(({ document }) => relativeKey(document))
      this.#report(`${this.kind.plural} ${names.join(', ')}`, error)
    }
  }

  /** One that the kind cannot show is as if it were not there: it must not keep the server from running. */
  #documentIfPossible(stored: Pick<StoredValue, 'key' | 'value' | 'revision'>, memory?: Memory) {
    try {
      return this.document(stored, memory)
    } catch (error) {
      this.#report(stored.key, error)
      return undefined
    }
  }

  /** Undefined: nothing changes in what is shown. */
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
