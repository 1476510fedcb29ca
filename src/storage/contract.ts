/**
 * What the engine needs from a store. Every write gets the store's next revision; one counter orders all writes. Keys
 * are paths such as `/core/configmaps/default/app`, with a leading slash and at most 1,978 bytes long. Values are
 * opaque bytes, which are copied when written and must not be changed by readers.
 */
export interface Store {
  /** True when no other process can write to the store, so that a reader of this process's writes has seen all writes. */
  readonly soleWriter: boolean

  get(key: string, options?: ReadOptions): Promise<StoredValue | undefined>

  /** Ordered by key. */
  list(prefix: string, options?: RangeOptions): Promise<ListResult>

  /** Fails with `conflict` if the key exists. */
  create(key: string, value: Uint8Array): Promise<WriteResult>
  /** Fails with `conflict` unless the key's revision is `expectedRevision`. */
  update(key: string, value: Uint8Array, expectedRevision: number): Promise<WriteResult>
  delete(key: string, expectedRevision: number): Promise<WriteResult>

  /**
   * Yields every change under the prefix after `afterRevision`, once and in order, until the signal aborts (then it
   * ends without an error). Batches hold at least one change and never split a revision. Throws RevisionCompacted when
   * the history no longer reaches back, and StoreUnavailable only when the store is closed: short outages are bridged
   * internally. With `progress`, empty batches report that everything up to `revision` has been delivered. A revision
   * returned by `currentRevision` is then certain to be reached, whichever key changed.
   */
  watch(prefix: string, options: StoreWatchOptions): AsyncIterable<ChangeBatch>

  /** A revision at least as new as every write acknowledged, by any process, before the call. */
  currentRevision(): Promise<number>
  /** The oldest revision from which reads and watches can still start. */
  compactedRevision(): Promise<number>
  /** Drops the history before `revision`; the current state is kept. */
  compact(revision: number): Promise<void>

  /**
   * Resolves when another process has taken over the store for good, or the store must be reopened. Absent where
   * several processes may share it.
   */
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
  /**
   * Reads the state as of that revision. Throws RevisionCompacted when it has been compacted, and StoreUnavailable when
   * it lies in the future.
   */
  readonly atRevision?: number
  readonly signal?: AbortSignal
}

export interface RangeOptions extends ReadOptions {
  readonly limit?: number
  /** Only keys greater than this one. */
  readonly afterKey?: string
  /**
   * Receives the items instead of the result, which then has none. A value is valid until the call returns: copy what
   * you keep. Returning a promise pauses the listing until it resolves; all items come from one snapshot, however long
   * that takes.
   */
  readonly each?: (item: StoredValue) => void | Promise<void>
}

export interface ListResult {
  readonly items: readonly StoredValue[]
  /** The revision of the state that was listed. */
  readonly revision: number
  /** How many items follow the last one returned. */
  readonly remaining: number
}

export type WriteResult =
  | { readonly outcome: 'written'; readonly revision: number }
  /** Nothing was written. `current` is the existing value; absent if there is none. */
  | { readonly outcome: 'conflict'; readonly current: StoredValue | undefined }

export interface StoreWatchOptions {
  readonly afterRevision: number
  readonly signal: AbortSignal
  /** Also delivers empty batches, which only advance `revision`. */
  readonly progress?: boolean
}

export interface StoreChange {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly key: string
  readonly revision: number
  /** The new value; for a deletion, the last one. */
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

/** The store cannot answer now. The outcome of a write is unknown only if `outcomeUnknown` is true. */
export class StoreUnavailable extends Error {
  readonly outcomeUnknown: boolean

  constructor(message: string, options: { readonly outcomeUnknown?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'StoreUnavailable'
    this.outcomeUnknown = options.outcomeUnknown ?? false
  }
}

/**
 * The store has no room for a write: nothing was written, and reads continue. Writes succeed again once there is room,
 * without a restart. The message says where and what to do, and may be shown to clients.
 */
export class StoreFull extends StoreUnavailable {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'StoreFull'
  }
}

/** The store does not hold what was written to it. Damaged content is never returned. */
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
