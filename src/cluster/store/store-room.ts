import { type Clock, monotonicClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { type Store, StoreFull, type WriteResult } from '../../storage/contract.ts'

export interface StoreRoom {
  /** The same store, with every write observed. */
  readonly store: Store
  /** Why the last write was refused, if there was no room. */
  fullBecause(): string | undefined
  metrics(): string
}

/** While little room is left, writes of different sizes may alternately succeed and fail. */
const tellEveryMs = 60_000

/** Detects and logs when there is no room for writes, and when there is again. */
export function watchRoom(
  store: Store,
  { log, clock = monotonicClock }: { readonly log: Log; readonly clock?: Clock },
): StoreRoom {
  let full: StoreFull | undefined
  let toldAtMs = Number.NEGATIVE_INFINITY
  let isTold = false

  const fail = (error: StoreFull) => {
    full = error
    if (isTold || clock.now() - toldAtMs < tellEveryMs) return
    isTold = true
    toldAtMs = clock.now()
    log.error('writes are refused', { reason: error.message, cause: causeOf(error) })
  }
  const succeed = () => {
    full = undefined
    if (isTold) log.info('there is room for writes again')
    isTold = false
  }
  const watched = async (write: Promise<WriteResult>): Promise<WriteResult> => {
    try {
      const result = await write
      if (full !== undefined && result.outcome === 'written') succeed()
      return result
    } catch (error) {
      if (error instanceof StoreFull) fail(error)
      throw error
    }
  }
  return {
    store: {
      soleWriter: store.soleWriter,
      get: (key, options) => store.get(key, options),
      list: (prefix, options) => store.list(prefix, options),
      create: (key, value) => watched(store.create(key, value)),
      update: (key, value, expectedRevision) => watched(store.update(key, value, expectedRevision)),
      delete: (key, expectedRevision) => watched(store.delete(key, expectedRevision)),
      watch: (prefix, options) => store.watch(prefix, options),
      currentRevision: () => store.currentRevision(),
      compactedRevision: () => store.compactedRevision(),
      compact: (revision) => store.compact(revision),
      ...(store.lost === undefined ? {} : { lost: store.lost }),
      close: () => store.close(),
    },
    fullBecause: () => full?.message,
    metrics: () => metricsText(full !== undefined),
  }
}

function causeOf({ cause }: StoreFull): string {
  return cause instanceof Error ? cause.message : ''
}

function metricsText(isFull: boolean): string {
  return [
    '# HELP tenant_store_full Whether the last write was refused because the store has no room.',
    '# TYPE tenant_store_full gauge',
    `tenant_store_full ${isFull ? 1 : 0}`,
    '',
  ].join('\n')
}
