import { printJson } from '../../base/json/print.ts'
import { type ApiError, badRequest, invalid } from '../error.ts'
import { invalidField } from '../field-error.ts'
import { goValue } from '../human/go-print.ts'

interface KindName {
  readonly version: string
  readonly kind: string
}

/** The answer of strict field validation to a POST or PUT: all errors in one sentence. */
export function strictDecodingError(kind: KindName, complaints: readonly string[]): ApiError {
  return cannotBeHandled(kind, kind.kind, strictReason(complaints))
}

/** The same for a PATCH, with the value that it shows. */
export function strictPatchError(shown: string, complaints: readonly string[]): ApiError {
  return patchError(shown, strictReason(complaints))
}

/** `sentKind` is the body's own kind. */
export function cannotBeHandled(kind: KindName, sentKind: string, reason: string): ApiError {
  return badRequest(
    `${sentKind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${reason}`,
  )
}

/** The result of an apply. */
export function cannotBeConverted(
  { group, version, kind }: KindName & { readonly group: string },
  applied: string,
  reason: string,
): ApiError {
  const type = `${group}/${version}, Kind=${kind}`
  return badRequest(
    `failed to convert new object (${applied}) to proper version: unable to convert unstructured object to ${type}: ${reason}`,
  )
}

/** Kubernetes names no kind here. */
export function patchError(shown: string, reason: string): ApiError {
  return invalid({ kind: '', group: '' }, '', [invalidField('patch', shown, reason)])
}

/** What a refusal shows: the whole patched object, or a strategic patch as sent. */
export function shownPatch(patched: unknown, strategicPatch: unknown): string {
  return strategicPatch === undefined ? printJson(patched) : goValue(strategicPatch)
}

function strictReason(complaints: readonly string[]): string {
  return `strict decoding error: ${complaints.join(', ')}`
}
