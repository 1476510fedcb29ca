import type { Store } from '../contract.ts'
import type { FormatRecord } from './format-record.ts'

/** One step from a format to the next. */
export interface Migration {
  readonly to: number
  /** The oldest version whose programs may continue while newer ones run, as in a rolling upgrade of replicas. */
  readonly readableBy: number
  /**
   * May be interrupted, and may run on several replicas at once: each write is conditional, and finished work stays
   * valid.
   */
  readonly run: (store: Store) => Promise<void>
}

/** The format that a program writes, and how it migrates older ones. */
export interface KnownFormat {
  readonly version: number
  /** In order; the last one leads to `version`. */
  readonly migrations: readonly Migration[]
  /** The newest version that the program reads and writes, if a store may be raised to it later. Absent: `version`. */
  readonly newest?: number
}

/**
 * How this program stores objects and the records beside them, in every kind of store. The file of an embedded store
 * has its own version (`lmdb/state.ts`).
 */
export const storeFormat: KnownFormat = { version: 1, migrations: [], newest: 2 }

/** The format of a store once it holds an integer that needs 64 bits: an older program would round it. */
export const largeIntegersFormat: FormatRecord = { version: 2, readableBy: 2 }

export function newestFormat({ version, newest = version }: KnownFormat): number {
  return newest
}
