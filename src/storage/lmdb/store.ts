import { Semaphore } from '../../base/concurrency/semaphore.ts'
import { isDiskFull } from '../../base/files/disk-full.ts'
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
import { ChangeFeed } from '../feed/change-feed.ts'
import { type FollowSource, followStore } from '../feed/follow.ts'
import type { BufferLimits } from '../feed/live-buffer.ts'
import { type BatchedWrite, createOperation, deleteOperation, updateOperation } from './decide.ts'
import { type Environment, ownsEpoch, type StoreOwnership } from './environment.ts'
import { readHistory } from './history.ts'
import { fitsInKey, maximumKeyBytes } from './keys.ts'
import { listKeys } from './list.ts'
import type { StoreLock } from './lock.ts'
import { GrowthMarker } from './marker.ts'
import { readKey } from './read.ts'
import { requireRoomFor } from './room.ts'
import { unusable, watchOver } from './watch-over.ts'
import { Writer } from './writer.ts'

/**
 * Each list holds a snapshot, and lmdb has 126 of them: with one more it refuses every read, and the store fails. Even
 * unauthenticated clients cause lists when they try to sign in.
 */
const listsAtOnce = 64

export interface LmdbStoreParts {
  readonly directory: string
  readonly environment: Environment
  readonly ownership: StoreOwnership
  readonly lock: StoreLock
  readonly watchBuffer: BufferLimits
}

export class LmdbStore implements Store {
  readonly soleWriter = true
  readonly #parts: LmdbStoreParts
  readonly #feed: ChangeFeed
  readonly #writer: Writer
  readonly #followSource: FollowSource
  readonly #reads = new Set<Promise<unknown>>()
  readonly #lists = new Semaphore(listsAtOnce)
  readonly #growth: GrowthMarker
  readonly #endWatch: () => void
  readonly lost: Promise<StoreUnavailable>
  #unavailable: StoreUnavailable | undefined
  #closing: Promise<void> | undefined

  constructor(parts: LmdbStoreParts) {
    const { environment, ownership } = parts
    this.#parts = parts
    this.#feed = new ChangeFeed(ownership.state.revision)
    let tellLost: (reason: StoreUnavailable) => void = () => {}
    this.lost = new Promise((resolve) => {
      tellLost = resolve
    })
    const lose = (reason: StoreUnavailable) => {
      this.#refuse(reason)
      tellLost(reason)
    }
    this.#writer = new Writer({
      environment,
      ownership,
      feed: this.#feed,
      requireRoom: (bytes) => requireRoomFor(parts.directory, bytes),
      onBroken: (error) => lose(error),
    })
    const bounds = {
      revision: () => this.#feed.revision,
      compactedRevision: () => this.#writer.compactedRevision,
      checkpoint: () => this.#throwIfUnavailable(),
    }
    this.#growth = new GrowthMarker(parts.directory)
    const onLost = (reason: StoreUnavailable) => {
      void this.#writer.stop(reason)
      lose(reason)
    }
    const noteGrowth = () => void this.#growth.update().catch((error) => this.#notMarked(error, onLost))
    noteGrowth()
    this.#endWatch = watchOver({
      lock: parts.lock,
      ownsEpoch: () => ownsEpoch(environment, ownership.epoch),
      onLook: noteGrowth,
      onLost,
    })
    this.#followSource = {
      feed: this.#feed,
      limits: parts.watchBuffer,
      history: (afterRevision) => readHistory(environment, bounds, afterRevision),
    }
  }

  async get(key: string, options: ReadOptions = {}): Promise<StoredValue | undefined> {
    options.signal?.throwIfAborted()
    return readKey(this.#parts.environment, key, this.#readRevision(options))
  }

  async list(prefix: string, options: RangeOptions = {}): Promise<ListResult> {
    this.#throwIfUnavailable()
    const checkpoint = () => {
      options.signal?.throwIfAborted()
      this.#throwIfUnavailable()
    }
    const result = this.#lists.run(async () => {
      checkpoint()
      const atRevision = this.#readRevision(options)
      return listKeys(this.#parts.environment, { prefix, atRevision, options, checkpoint })
    })
    this.#reads.add(result)
    return result.finally(() => this.#reads.delete(result))
  }

  create(key: string, value: Uint8Array): Promise<WriteResult> {
    return this.#write(key, () => createOperation(key, value))
  }

  update(key: string, value: Uint8Array, expectedRevision: number): Promise<WriteResult> {
    return this.#write(key, () => updateOperation(key, value, expectedRevision))
  }

  delete(key: string, expectedRevision: number): Promise<WriteResult> {
    return this.#write(key, () => deleteOperation(key, expectedRevision))
  }

  async *watch(prefix: string, options: StoreWatchOptions): AsyncGenerator<ChangeBatch> {
    this.#throwIfUnavailable()
    this.#throwIfCompacted(options.afterRevision)
    yield* followStore(this.#followSource, prefix, options)
  }

  async currentRevision(): Promise<number> {
    this.#throwIfUnavailable()
    return this.#feed.revision
  }

  async compactedRevision(): Promise<number> {
    this.#throwIfUnavailable()
    return this.#writer.compactedRevision
  }

  async compact(revision: number): Promise<void> {
    this.#throwIfUnavailable()
    this.#throwIfToCome(revision)
    await this.#writer.compact(revision)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const reason = new StoreUnavailable(`the store in ${this.#parts.directory} is closed`)
    this.#endWatch()
    await this.#writer.stop(reason)
    if (this.#unavailable === undefined) {
      await this.#growth.finish().catch((error) => {
        if (!isDiskFull(error)) throw error
      })
    }
    this.#refuse(reason)
    await Promise.allSettled(this.#reads)
    await this.#parts.environment.root.close()
    this.#parts.lock.release()
  }

  /** An outdated marker protects less, but does no harm. */
  #notMarked(error: unknown, onLost: (reason: StoreUnavailable) => void): void {
    if (isDiskFull(error) || this.#closing !== undefined || this.#unavailable !== undefined) return
    onLost(unusable(error))
  }

  #write(key: string, operation: () => BatchedWrite): Promise<WriteResult> {
    if (!fitsInKey(key)) {
      return Promise.reject(
        new RangeError(`a storage key has 1 to ${maximumKeyBytes} bytes, this one does not: ${key}`),
      )
    }
    return this.#writer.write(operation())
  }

  #readRevision(options: ReadOptions): number {
    this.#throwIfUnavailable()
    const { atRevision } = options
    if (atRevision === undefined) return this.#feed.revision
    this.#throwIfToCome(atRevision)
    this.#throwIfCompacted(atRevision)
    return atRevision
  }

  #refuse(error: StoreUnavailable): void {
    this.#unavailable ??= error
    this.#feed.fail(error)
  }

  #throwIfUnavailable(): void {
    if (this.#unavailable !== undefined) throw this.#unavailable
  }

  #throwIfCompacted(revision: number): void {
    const oldest = this.#writer.compactedRevision
    if (revision < oldest) throw new RevisionCompacted(revision, oldest)
  }

  #throwIfToCome(revision: number): void {
    const current = this.#feed.revision
    if (revision > current)
      throw new StoreUnavailable(`revision ${revision} is yet to come; the store is at ${current}`)
  }
}
