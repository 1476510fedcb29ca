import { type ApiError, badRequest, invalid } from '../error.ts'
import { invalidField } from '../field-error.ts'

interface KindName {
  readonly version: string
  readonly kind: string
}

/** What strict field validation answers to a POST or PUT: everything that it objects to, in one sentence. */
export function strictDecodingError(kind: KindName, complaints: readonly string[]): ApiError {
  return cannotBeHandled(kind, kind.kind, strictReason(complaints))
}

/** The same for a PATCH, where it is the patched object that is refused. */
export function strictPatchError(patched: unknown, complaints: readonly string[]): ApiError {
  return patchedObjectError(patched, strictReason(complaints))
}

/** `sentKind` is what the body calls itself. */
export function cannotBeHandled(kind: KindName, sentKind: string, reason: string): ApiError {
  return badRequest(
    `${sentKind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${reason}`,
  )
}

/** Kubernetes shows the whole patched object here and names no kind. */
export function patchedObjectError(patched: unknown, reason: string): ApiError {
  return invalid({ kind: '', group: '' }, '', [invalidField('patch', JSON.stringify(patched) ?? 'null', reason)])
}

function strictReason(complaints: readonly string[]): string {
  return `strict decoding error: ${complaints.join(', ')}`
}
