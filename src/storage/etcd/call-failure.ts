import { status } from '@grpc/grpc-js'
import { StoreFull, StoreUnavailable } from '../contract.ts'

/**
 * Why a call to etcd failed.
 * - `compacted`, `future`: the requested revision was compacted, or has not happened yet
 * - `token`: the access token is missing or no longer valid; nothing was done
 * - `full`: etcd has used up its space quota; nothing was done
 * - `too-large`: the value is larger than etcd accepts; nothing was done
 * - `not-sent`: no endpoint accepted the call; nothing was done
 * - `refused`: etcd refused the call; nothing was done
 * - `broken`: the call was sent and no answer came; a write may have happened
 */
export type CallFailureKind =
  | 'compacted'
  | 'future'
  | 'token'
  | 'full'
  | 'too-large'
  | 'not-sent'
  | 'refused'
  | 'broken'

export class CallFailure extends Error {
  readonly kind: CallFailureKind

  constructor(kind: CallFailureKind, message: string) {
    super(message)
    this.name = 'CallFailure'
    this.kind = kind
  }
}

export interface StatusAnswer {
  readonly code: number
  readonly details: string
}

/** Matched by text first: etcd uses one code for quite different errors. */
const byText: readonly (readonly [RegExp, CallFailureKind])[] = [
  [/required revision has been compacted/, 'compacted'],
  [/required revision is a future revision/, 'future'],
  [/invalid auth token|user name is empty|revision of auth store is old/, 'token'],
  [/mvcc: database space exceeded/, 'full'],
  [/request is too large|larger than max/, 'too-large'],
  [/etcdserver: no leader/, 'not-sent'],
]

const byCode: Readonly<Record<number, CallFailureKind>> = {
  [status.UNAUTHENTICATED]: 'token',
  [status.PERMISSION_DENIED]: 'refused',
  [status.INVALID_ARGUMENT]: 'refused',
  [status.FAILED_PRECONDITION]: 'refused',
  [status.OUT_OF_RANGE]: 'refused',
  [status.UNIMPLEMENTED]: 'refused',
  [status.RESOURCE_EXHAUSTED]: 'refused',
}

export function failureFrom(answer: StatusAnswer): CallFailure {
  const kind = byText.find(([pattern]) => pattern.test(answer.details))?.[1] ?? byCode[answer.code] ?? 'broken'
  return new CallFailure(kind, answer.details)
}

const fullEtcd =
  'the store is full and nothing was changed: etcd has used up its space (alarm NOSPACE). Compact and defragment it or raise its quota, then disarm the alarm'

/** The error for the caller of the store. An error that is no CallFailure is returned unchanged. */
export function storeError(error: unknown, call: 'read' | 'write'): unknown {
  if (!(error instanceof CallFailure)) return error
  if (error.kind === 'too-large') return new RangeError(`the value is too large for etcd: ${error.message}`)
  if (error.kind === 'full') return new StoreFull(fullEtcd, { cause: error })
  const outcomeUnknown = call === 'write' && error.kind === 'broken'
  return new StoreUnavailable(`etcd cannot answer: ${error.message}`, { outcomeUnknown, cause: error })
}
