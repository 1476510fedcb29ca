import { printJson } from '../../base/json/print.ts'
import { type ApiError, badRequest, invalid } from '../error.ts'
import { invalidField } from '../field-error.ts'
import { goValue } from '../human/go-print.ts'

interface KindName {
  readonly version: string
  readonly kind: string
}

/** What strict field validation answers to a POST or PUT: everything that it objects to, in one sentence. */
export function strictDecodingError(kind: KindName, complaints: readonly string[]): ApiError {
  return cannotBeHandled(kind, kind.kind, strictReason(complaints))
}

/** The same for a PATCH, with what it shows of it. */
export function strictPatchError(shown: string, complaints: readonly string[]): ApiError {
  return patchError(shown, strictReason(complaints))
}

/** `sentKind` is what the body calls itself. */
export function cannotBeHandled(kind: KindName, sentKind: string, reason: string): ApiError {
  return badRequest(
    `${sentKind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${reason}`,
  )
}

/** Kubernetes names no kind here. */
export function patchError(shown: string, reason: string): ApiError {
  return invalid({ kind: '', group: '' }, '', [invalidField('patch', shown, reason)])
}

/** What a refusal shows: the whole patched object, or a strategic patch as it was sent. */
export function shownPatch(patched: unknown, strategicPatch: unknown): string {
  return strategicPatch === undefined ? printJson(patched) : goValue(strategicPatch)
}

function strictReason(complaints: readonly string[]): string {
  return `strict decoding error: ${complaints.join(', ')}`
}
