import { ApiError } from '../../../api/error.ts'
import { backoffMs } from '../../../base/backoff.ts'
import { errorText } from '../../../base/error-text.ts'
import { systemRandom } from '../../../base/random.ts'
import { ConnectionError, UnacceptableAnswer } from '../../../client/connection/connection-error.ts'
import { KubeconfigError } from '../../../client/kubeconfig/contract.ts'
import { Unreadable } from '../../../client/received-json.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import type { Trouble } from '../../contract.ts'
import { printName } from '../../names/names.ts'

/** The object is not in step for a reason that its owner should know. */
export class SyncTrouble extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble) {
    super(trouble.message)
    this.name = 'SyncTrouble'
    this.trouble = trouble
  }
}

/** The state that was read is outdated, so the object must be checked again. */
export class ReadAgain extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ReadAgain'
  }
}

/** Something else must exist first, and most likely will. */
export class NotYet extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble) {
    super(trouble.message)
    this.name = 'NotYet'
    this.trouble = trouble
  }
}

export function nameTaken({ kind }: { readonly kind: string }, place: ObjectName): Trouble {
  const message = `${kind} ${printName(place)} of the host is not this tenant's, and stands where the copy belongs`
  return { reason: 'HostNameTaken', message }
}

export const keepsChanging: Trouble = {
  reason: 'KeepsChanging',
  message: 'another client undoes every write to this object, so it is written less and less often',
}

export const changesOften: Trouble = {
  reason: 'ChangesOften',
  message: 'it changes so often that only its latest state is written, once a second',
}

export const doesNotEnd: Trouble = {
  reason: 'DoesNotEnd',
  message: 'the virtual cluster shows this object again each time it was removed, so it is removed less and less often',
}

export type Failure =
  /** Another client wrote in between: retry; this is not an error. */
  | { readonly type: 'conflict' }
  /** Something else must exist first. */
  | { readonly type: 'not yet'; readonly trouble: Trouble }
  /** A side cannot be reached or asks to retry later; no object is to blame. */
  | { readonly type: 'unreachable'; readonly message: string }
  | { readonly type: 'trouble'; readonly trouble: Trouble }

const comeBack: ReadonlySet<number> = new Set([401, 408, 429, 502, 503, 504])
const outdated: ReadonlySet<number> = new Set([404, 409, 410])

export function syncFailureOf(error: unknown): Failure {
  if (error instanceof SyncTrouble) return { type: 'trouble', trouble: error.trouble }
  if (error instanceof ReadAgain) return { type: 'conflict' }
  if (error instanceof NotYet) return { type: 'not yet', trouble: error.trouble }
  if (error instanceof UnacceptableAnswer || error instanceof Unreadable)
    return { type: 'trouble', trouble: { reason: 'Unreadable', message: error.message } }
  if (error instanceof ConnectionError) return { type: 'unreachable', message: error.message }
  // Readers of the object must not learn how the syncer gets its credentials.
  if (error instanceof KubeconfigError) return { type: 'unreachable', message: 'the credentials cannot be read' }
  if (error instanceof ApiError) return refusal(error)
  if (error instanceof Error && error.name === 'AbortError') return { type: 'unreachable', message: 'stopping' }
  return {
    type: 'trouble',
    trouble: { reason: 'InternalError', message: errorText(error) },
  }
}

function refusal(error: ApiError): Failure {
  if (outdated.has(error.code)) return { type: 'conflict' }
  if (comeBack.has(error.code)) return { type: 'unreachable', message: error.message }
  return { type: 'trouble', trouble: { reason: 'WriteRefused', message: error.message } }
}

const conflictPause = { firstMs: 5, longestMs: 5_000 }
const unreachablePause = { firstMs: 200, longestMs: 5_000 }
const troublePause = { firstMs: 1_000, longestMs: 60_000 }
const longestAskedMs = 60_000

/** How long an object waits before its retry, at least as long as the server asked for. */
export function pauseAfter(error: unknown, attempt: number, random = systemRandom): number {
  return Math.max(askedPauseMs(error), backoffMs(attempt, pauseFor(syncFailureOf(error)), random))
}

function askedPauseMs(error: unknown): number {
  const seconds = error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) : 0
  return Math.min(longestAskedMs, seconds * 1000)
}

function pauseFor({ type }: Failure): { readonly firstMs: number; readonly longestMs: number } {
  switch (type) {
    case 'conflict':
      return conflictPause
    case 'not yet':
    case 'unreachable':
      return unreachablePause
    case 'trouble':
      return troublePause
  }
}
