import type { StoredValue } from '../../storage/contract.ts'
import type { BackupTotals } from './tally.ts'

/** What a server first reports about the state that it sends. */
export interface StateHead {
  readonly revision: number
  /** The format of everything in the store. */
  readonly storeFormat: number
  /** The version of the program that serves it. */
  readonly program: string
  /** Identifies the cluster: the uid of its namespace kube-system. */
  readonly clusterUid: string
}

/** One part of a state, on the wire and in a backup. */
export type StateRecord =
  | { readonly type: 'head'; readonly head: StateHead }
  | { readonly type: 'entry'; readonly entry: StoredValue }
  /** Everything has been sent. Without it, something is missing. */
  | { readonly type: 'end'; readonly totals: BackupTotals }
  /** The rest will not come, and why. */
  | { readonly type: 'failure'; readonly message: string; readonly isWorthRetry: boolean }

/** On the wire: type (1), length of the rest (4, big-endian), the rest. */
export const recordHeadLength = 5
/** More than the largest object with its key. */
export const maxRecordBytes = 4 * 1024 * 1024

export const recordCodes = { head: 1, entry: 2, end: 3, failure: 4 } as const
/** The head of an entry: revision (8), length of the key (2); then the key in UTF-8 and the value. */
export const entryHeadLength = 10
