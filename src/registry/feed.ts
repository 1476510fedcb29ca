import { Pace } from '../base/pace.ts'
import { rest } from '../base/pause.ts'
import type { ChangeBatch, Store, StoreChange, StoreWatchOptions } from '../storage/contract.ts'
import { RevisionCompacted, StoreUnavailable } from '../storage/contract.ts'
import { objectsRoot, prefixOfKey } from './storage-key.ts'

const retryMs = 500
/** Limits for a part of a batch, after which the elapsed time is checked. */
const changesAtOnce = 16
const bytesAtOnce = 128 * 1024
const msPerTurn = 5

export interface FeedConsumer {
  /** Changes below this consumer's prefix, in order, each once. */
  apply(changes: readonly StoreChange[]): void
  /** Called when all consumers have applied what arrived together with the last changes. */
  settle?(): void
  /** The history was lost: reads the state from the store, as of that revision or, without one, the current state. */
  reload(atRevision: number | undefined): Promise<ReloadedState>
}

/** A state that was read but is not in use yet. */
export interface ReloadedState {
  readonly revision: number
  /** Replaces the old state. */
  take(): void
}

interface Waiting {
  readonly revision: number
  readonly resolve: () => void
}

/**
 * The store's ordered change stream, distributed to the caches by prefix. One stream serves all kinds, so that
 * `revision` applies to all of them at once.
 */
export class Feed {
  readonly #store: Store
  readonly #stop = new AbortController()
  readonly #consumers = new Map<string, Set<FeedConsumer>>()
  #revision = 0
  #deliveredBytes = 0
  readonly #waiting = new Set<Waiting>()
  /** Every writer waits for the feed, so it must wait for no more than one task of each other party. */
  readonly #party = Symbol('feed')
  #running: Promise<void> = Promise.resolve()

  constructor(store: Store) {
    this.#store = store
  }

  /** Every change up to this revision has reached the caches. */
  get revision(): number {
    return this.#revision
  }

  async start(): Promise<void> {
    this.#revision = await this.#store.currentRevision()
    this.#running = this.#follow()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    for (const each of this.#waiting) each.resolve()
    await this.#running
  }

  connect(prefix: string, consumer: FeedConsumer): () => void {
    const consumers = this.#consumers.get(prefix) ?? new Set()
    this.#consumers.set(prefix, consumers.add(consumer))
    return () => consumers.delete(consumer)
  }

  /** The size of all changes since the start. */
  get deliveredBytes(): number {
    return this.#deliveredBytes
  }

  /** How many callers wait for a revision. */
  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Resolves when the caches hold everything up to the revision, or when the signal aborts. A revision named by a
   * client may never come: with a signal, nothing is retained for a caller that has left.
   */
  reached(revision: number, signal?: AbortSignal): Promise<void> {
    if (revision <= this.#revision || this.#stop.signal.aborted || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const waiting = { revision, resolve: () => leave() }
      const leave = () => {
        this.#waiting.delete(waiting)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      this.#waiting.add(waiting)
      signal?.addEventListener('abort', leave)
    })
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop
    let isHistoryLost = false
    while (!signal.aborted) {
      try {
        if (isHistoryLost) await this.#reloadAll()
        isHistoryLost = false
        for await (const batch of this.#store.watch(objectsRoot, watching(this.#revision, signal))) {
          await this.#deliverInTurns(batch)
        }
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof RevisionCompacted) isHistoryLost = true
        else if (error instanceof StoreUnavailable) await rest(retryMs, signal)
        else throw error
      }
    }
  }

  /** All at the same revision and in one turn, since `revision` applies to all of them at once. */
  async #reloadAll(): Promise<void> {
    const states: ReloadedState[] = []
    for (const consumers of this.#consumers.values()) {
      for (const consumer of consumers) states.push(await consumer.reload(states[0]?.revision))
    }
    const revision = states[0]?.revision ?? (await this.#store.currentRevision())
    for (const state of states) state.take()
    this.#advance(revision)
  }

  /** Handling one change may take milliseconds, and any number of them may arrive together. */
  async #deliverInTurns(batch: ChangeBatch): Promise<void> {
    if (batch.changes.length <= 1) return this.#deliver(batch)
    const pace = new Pace({ stepsPerTurn: Number.POSITIVE_INFINITY, msPerTurn, party: this.#party })
    for (const part of inParts(batch)) {
      this.#deliver(part)
      if (pace.isDue()) await pace.rest()
      if (this.#stop.signal.aborted) return
    }
  }

  #deliver(batch: ChangeBatch): void {
    for (const { value } of batch.changes) this.#deliveredBytes += value.length
    const groups = byPrefix(batch.changes)
    for (const [prefix, changes] of groups) {
      for (const consumer of this.#consumers.get(prefix) ?? []) consumer.apply(changes)
    }
    for (const prefix of groups.keys()) {
      for (const consumer of this.#consumers.get(prefix) ?? []) consumer.settle?.()
    }
    this.#advance(batch.revision)
  }

  #advance(revision: number): void {
    this.#revision = Math.max(this.#revision, revision)
    for (const each of this.#waiting) {
      if (each.revision <= this.#revision) each.resolve()
    }
  }
}

/** Changes of one revision stay together. */
function* inParts({ changes, revision }: ChangeBatch): Generator<ChangeBatch> {
  let part: StoreChange[] = []
  let bytes = 0
  for (const change of changes) {
    const last = part.at(-1)
    const isFull = part.length >= changesAtOnce || bytes >= bytesAtOnce
    if (isFull && last !== undefined && last.revision !== change.revision) {
      yield { changes: part, revision: last.revision }
      part = []
      bytes = 0
    }
    part.push(change)
    bytes += change.value.length
  }
  yield { changes: part, revision }
}

/** With progress: changes of other keys advance the revision too, and readers wait for it. */
function watching(afterRevision: number, signal: AbortSignal): StoreWatchOptions {
  return { afterRevision, signal, progress: true }
}

function byPrefix(changes: readonly StoreChange[]): Map<string, StoreChange[]> {
  const groups = new Map<string, StoreChange[]>()
  for (const change of changes) {
    const prefix = prefixOfKey(change.key)
    const group = groups.get(prefix)
    if (group === undefined) groups.set(prefix, [change])
    else group.push(change)
  }
  return groups
}
