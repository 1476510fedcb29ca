import {
  type ChangeBatch,
  type ListResult,
  type RangeOptions,
  type ReadOptions,
  RevisionCompacted,
  type Store,
  type StoredValue,
  StoreUnavailable,
  type StoreWatchOptions,
  type WriteResult,
} from '../contract.ts'
import { CallFailure, storeError } from './call-failure.ts'
import { readCompactedRevision } from './compacted-revision.ts'
import { listRange, revisionToRead, toStored } from './list.ts'
import { compactMethod, rangeMethod, txnMethod } from './methods.ts'
import type { TxnRequest } from './requests.ts'
import { SharedFeed, type SharedFeedOptions } from './shared-feed.ts'
import { type WatchContext, watchBatches } from './watch.ts'
import { createRequest, deleteRequest, updateRequest, writeResult } from './writes.ts'

export interface EtcdStoreParts {
  readonly context: Omit<WatchContext, 'compactedRevision'>
  readonly limits: SharedFeedOptions['limits']
  readonly timeoutMs: number
}

export class EtcdStore implements Store {
  readonly soleWriter = false
  readonly #parts: EtcdStoreParts
  readonly #feed: SharedFeed
  readonly #pending = new Set<Promise<unknown>>()
  readonly #closed = new AbortController()
  #closing: Promise<void> | undefined

  constructor(parts: EtcdStoreParts) {
    this.#parts = parts
    const watchAll = (afterRevision: number, signal: AbortSignal) => this.#watchAll(afterRevision, signal)
    this.#feed = new SharedFeed({ limits: parts.limits, watchAll })
  }

  get(key: string, options: ReadOptions = {}): Promise<StoredValue | undefined> {
    return this.#read(options, async () => {
      const { connection, keys } = this.#parts.context
      const request = { key: keys.toEtcd(key), revision: revisionToRead(options) }
      const { items } = await connection.call(rangeMethod, request, 'repeatable', options.signal)
      return items[0] === undefined ? undefined : toStored(keys, items[0])
    })
  }

  list(prefix: string, options: RangeOptions = {}): Promise<ListResult> {
    return this.#read(options, async () => {
      const { connection, keys } = this.#parts.context
      const range = keys.range(prefix, options.afterKey)
      if (range === undefined) return this.#emptyList(options)
      return listRange(connection, keys, range, options)
    })
  }

  create(key: string, value: Uint8Array): Promise<WriteResult> {
    return this.#write(() => createRequest(this.#parts.context.keys, key, value))
  }

  update(key: string, value: Uint8Array, expectedRevision: number): Promise<WriteResult> {
    return this.#write(() => updateRequest(this.#parts.context.keys, key, value, expectedRevision))
  }

  delete(key: string, expectedRevision: number): Promise<WriteResult> {
    return this.#write(() => deleteRequest(this.#parts.context.keys, key, expectedRevision))
  }

  async *watch(prefix: string, options: StoreWatchOptions): AsyncGenerator<ChangeBatch> {
    this.#throwIfClosed()
    yield* this.#feed.watch(prefix, options)
  }

  currentRevision(): Promise<number> {
    return this.#read({}, async () => (await this.#parts.context.barrier.read()).lastWrite)
  }

  compactedRevision(): Promise<number> {
    return this.#read({}, () => this.#readCompacted())
  }

  compact(revision: number): Promise<void> {
    return this.#tracked('write', async () => {
      try {
        await this.#parts.context.connection.call(compactMethod, { revision }, 'repeatable')
      } catch (error) {
        if (!(error instanceof CallFailure) || error.kind !== 'compacted') throw error
      }
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Waits for pending calls, which have timeouts. */
  async #close(): Promise<void> {
    this.#closed.abort()
    this.#feed.close(closedError())
    await Promise.allSettled(this.#pending)
    this.#parts.context.connection.close()
  }

  /** Short outages are bridged internally; only closing ends the watch from this side. */
  async *#watchAll(afterRevision: number, signal: AbortSignal): AsyncGenerator<ChangeBatch> {
    const context = { ...this.#parts.context, compactedRevision: () => this.#readCompacted() }
    yield* watchBatches(context, afterRevision, AbortSignal.any([signal, this.#closed.signal]))
    this.#throwIfClosed()
  }

  #write(request: () => TxnRequest): Promise<WriteResult> {
    const { connection, keys } = this.#parts.context
    return this.#tracked('write', async () => writeResult(keys, await connection.call(txnMethod, request(), 'once')))
  }

  async #read<T>(options: ReadOptions, call: () => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted()
    return this.#tracked('read', async () => {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof CallFailure) || error.kind !== 'compacted') throw error
        throw new RevisionCompacted(options.atRevision ?? 0, await this.#readCompacted())
      }
    })
  }

  async #tracked<T>(kind: 'read' | 'write', call: () => Promise<T>): Promise<T> {
    this.#throwIfClosed()
    const running = call()
    this.#pending.add(running)
    try {
      return await running
    } catch (error) {
      throw storeError(error, kind)
    } finally {
      this.#pending.delete(running)
    }
  }

  #readCompacted(): Promise<number> {
    const { connection, keys } = this.#parts.context
    return readCompactedRevision(connection, keys, AbortSignal.timeout(this.#parts.timeoutMs))
  }

  async #emptyList(options: RangeOptions): Promise<ListResult> {
    const revision = options.atRevision ?? (await this.#parts.context.barrier.read()).lastWrite
    return { items: [], revision, remaining: 0 }
  }

  #throwIfClosed(): void {
    if (this.#closed.signal.aborted) throw closedError()
  }
}

function closedError(): StoreUnavailable {
  return new StoreUnavailable('the connection to etcd is closed')
}
