import type { Store } from '../contract.ts'
import type { FormatRecord } from './format-record.ts'

/** One step from a format to the next. */
export interface Migration {
  readonly to: number
  /** The oldest version whose programs may go on while newer ones run, as in an upgrade of replicas one by one. */
  readonly readableBy: number
  /** May be cut off, and may run on several replicas at once: each write is conditional, and what is done stays as it is. */
  readonly run: (store: Store) => Promise<void>
}

/** The format that a program writes, and how it gets there from older ones. */
export interface KnownFormat {
  readonly version: number
  /** In order, the last one leading to `version`. */
  readonly migrations: readonly Migration[]
  /** The newest that it reads and writes, if a store may become that later. Absent: `version`. */
  readonly newest?: number
}

/**
 * How this program writes what it stores, whatever the store: objects, and what stands beside them. What an embedded store
 * adds, its file, has a version of its own (`lmdb/state.ts`).
 */
export const storeFormat: KnownFormat = { version: 1, migrations: [], newest: 2 }

/** Of a store from the first integer on that needs 64 bits: a program of before would round it. */
export const largeIntegersFormat: FormatRecord = { version: 2, readableBy: 2 }

export function newestFormat({ version, newest = version }: KnownFormat): number {
  return newest
}
