import { ABORT } from 'lmdb'
import { errorText } from '../../base/error-text.ts'
import { StoreUnavailable } from '../contract.ts'
import type { DecidedWrite } from './decide.ts'
import type { Environment } from './environment.ts'
import { encodeState, type StoreState, stateKey } from './state.ts'

/**
 * A commit that lmdb could not finish. Nothing was written unless the error says that the outcome is unknown. lmdb
 * cannot be trusted with another commit: another process must reopen the store.
 */
export class CommitFailed extends Error {
  readonly error: StoreUnavailable

  constructor(error: StoreUnavailable) {
    super(error.message, { cause: error })
    this.name = 'CommitFailed'
    this.error = error
  }
}

export interface Commit {
  /** Makes the puts and removals. */
  readonly change: () => void
  /** Whether they took effect; called after a failure. */
  readonly isApplied: () => boolean
}

/**
 * Runs the puts and removals in one transaction, if this process still owns the store. Resolves when the data has been
 * synced to disk.
 */
export async function commitBatch(environment: Environment, epoch: number, commit: Commit): Promise<void> {
  let isOwner: boolean
  try {
    isOwner = await environment.meta.ifVersion(stateKey, epoch, commit.change)
  } catch (error) {
    throw failedCommit(await reasonOf(error), isUntouched(environment, commit))
  }
  if (!isOwner) throw lostOwnership()
}

/** Leaves the state record alone: the last log entry has the revision, and each page not written saves time. */
export function putWrites(environment: Environment, writes: readonly DecidedWrite[]): void {
  for (const write of writes) {
    environment.log.put(write.revision, write.entry)
    environment.pointers.put(write.key, write.pointer)
  }
}

export function putState(environment: Environment, epoch: number, state: StoreState): void {
  environment.meta.put(stateKey, encodeState(state), epoch)
}

function lostOwnership(): CommitFailed {
  const message = 'another process has taken over the store; this one no longer writes to it'
  return new CommitFailed(new StoreUnavailable(message))
}

/** lmdb refuses a new transaction when it no longer trusts its file. */
function isUntouched(environment: Environment, commit: Commit): boolean {
  let isApplied = true
  try {
    environment.meta.transactionSync(() => {
      isApplied = commit.isApplied()
      return ABORT
    })
    return !isApplied
  } catch {
    return false
  }
}

function failedCommit(cause: unknown, isUntouched: boolean): CommitFailed {
  const text = errorText(cause)
  const what = isUntouched ? 'nothing was stored' : 'it is not known whether the write was stored'
  const message = `${what} (${text}), and the store must be reopened: restart to continue from the last good state`
  return new CommitFailed(new StoreUnavailable(message, { outcomeUnknown: !isUntouched, cause }))
}

/** lmdb rejects with a general error whose `commitError` is a promise that rejects with the real one. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  return Promise.resolve(error.commitError).then(
    () => error,
    (reason: unknown) => reason,
  )
}
