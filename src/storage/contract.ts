/**
 * What the engine needs of a store. Every write gets the store's next revision; one counter orders all of them.
 * Keys are paths such as `/core/configmaps/default/app`, with a slash at the front and at most 1,978 bytes long; values
 * are opaque bytes, copied when they are written and never to be changed by who reads them.
 */
export interface Store {
  /** True when no other process can write here, so that a reader of this process's writes has seen all. */
  readonly soleWriter: boolean

  get(key: string, options?: ReadOptions): Promise<StoredValue | undefined>

  /** Ordered by key. */
  list(prefix: string, options?: RangeOptions): Promise<ListResult>

  /** Fails with `conflict` if the key is there. */
  create(key: string, value: Uint8Array): Promise<WriteResult>
  /** Fails with `conflict` unless the key's revision is `expectedRevision`. */
  update(key: string, value: Uint8Array, expectedRevision: number): Promise<WriteResult>
  delete(key: string, expectedRevision: number): Promise<WriteResult>

  /**
   * Every change under the prefix after `afterRevision`, once and in order, until the signal aborts (then it ends
   * without an error). Batches hold at least one change and never split a revision. Throws RevisionCompacted when the
   * history no longer reaches back, and StoreUnavailable only when the store is closed: short outages are bridged
   * inside. With `progress`, empty batches tell that everything up to `revision` has been delivered: then a revision
   * told by `currentRevision` is sure to be reached, whatever key it was that changed.
   */
  watch(prefix: string, options: StoreWatchOptions): AsyncIterable<ChangeBatch>

  /** A revision at least as new as every write acknowledged, by any process, before the call. */
  currentRevision(): Promise<number>
  /** The oldest revision that reads and watches can still start from. */
  compactedRevision(): Promise<number>
  /** Forgets the history before `revision`; the present state is kept. */
  compact(revision: number): Promise<void>

  /** Resolves when the store has become another's for good, or has to be opened anew. Absent where several processes may share it. */
  readonly lost?: Promise<StoreUnavailable>

  close(): Promise<void>
}

export interface StoredValue {
  readonly key: string
  readonly value: Uint8Array
  /** The revision that wrote this value. */
  readonly revision: number
}

export interface ReadOptions {
  /** Reads the state as of that revision; RevisionCompacted when it is gone, StoreUnavailable while it is to come. */
  readonly atRevision?: number
  readonly signal?: AbortSignal
}

export interface RangeOptions extends ReadOptions {
  readonly limit?: number
  /** Only keys greater than this one. */
  readonly afterKey?: string
  /**
   * Gets the items instead of the result, which then has none. A value is good until the call returns: what stays is
   * copied. A promise holds the listing back until it resolves; all is from one snapshot however long that takes.
   */
  readonly each?: (item: StoredValue) => void | Promise<void>
}

export interface ListResult {
  readonly items: readonly StoredValue[]
  /** The revision whose state this is. */
  readonly revision: number
  /** How many items follow the last one returned. */
  readonly remaining: number
}

export type WriteResult =
  | { readonly outcome: 'written'; readonly revision: number }
  /** Nothing was written. `current` is what stands there now; absent when nothing does. */
  | { readonly outcome: 'conflict'; readonly current: StoredValue | undefined }

export interface StoreWatchOptions {
  readonly afterRevision: number
  readonly signal: AbortSignal
  /** Also deliver empty batches, which only move `revision` on. */
  readonly progress?: boolean
}

export interface StoreChange {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly key: string
  readonly revision: number
  /** What stands there now; for a deletion, what stood there last. */
  readonly value: Uint8Array
}

export interface ChangeBatch {
  readonly changes: readonly StoreChange[]
  /** Everything up to and including this revision has been delivered. */
  readonly revision: number
}

export class RevisionCompacted extends Error {
  readonly requested: number
  readonly oldest: number

  constructor(requested: number, oldest: number) {
    super(`revision ${requested} has been compacted; the oldest one kept is ${oldest}`)
    this.name = 'RevisionCompacted'
    this.requested = requested
    this.oldest = oldest
  }
}

/** The store cannot answer now. Whether a write took effect is unknown only when `outcomeUnknown` says so. */
export class StoreUnavailable extends Error {
  readonly outcomeUnknown: boolean

  constructor(message: string, options: { readonly outcomeUnknown?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'StoreUnavailable'
    this.outcomeUnknown = options.outcomeUnknown ?? false
  }
}

/**
 * There is no room for a write: nothing was written, and reads go on. Writes succeed again once there is room, without a
 * restart. The message says where and what to do, and clients may read it.
 */
export class StoreFull extends StoreUnavailable {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'StoreFull'
  }
}

/** What the store holds is not what was written to it. Nothing of it is told as if it were. */
export class StoreDamaged extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(`the store is damaged: ${message}; stop the server and restore the data directory from a backup`, options)
    this.name = 'StoreDamaged'
  }
}

/** Another process has the store open. */
export class StoreLocked extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreLocked'
  }
}
