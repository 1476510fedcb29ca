import { type FieldError, invalidFieldAs, maxFieldErrors } from './field-error.ts'
import { quoted } from './human/go-syntax.ts'
import { shortened } from './human/shortened.ts'
import { qualifiedKind, qualifiedResource } from './kind.ts'
import type { StatusCause, StatusDetails } from './types/meta-v1.ts'

/** The body of every refusal, and of some successes. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string }
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

/**
 * What may refuse a request: the limits of an access key, the caller's rights, the platform's license, the place of a
 * session, the proof of a virtual cluster's identity, or a quota.
 */
export type RefusalLayer = 'scope' | 'role' | 'rbac' | 'license' | 'session' | 'proof' | 'quota'

/** The same refusal, with its layer. */
export function refusedBy(layer: RefusalLayer, { status }: ApiError): ApiError {
  return new ApiError(status, layer)
}

/** Not every browser has a limit. */
const stacks: ErrorConstructor & { stackTraceLimit?: number } = Error

/** A refusal that the caller is meant to read. Anything else that is thrown is a defect and becomes a 500. */
export class ApiError extends Error {
  readonly status: Status
  /** Which layer refused, for the audit log; the caller does not see it. */
  readonly layer: RefusalLayer | undefined

  /** Has no stack: it is an answer, and computing the stack costs more than the rest of a refusal. */
  constructor(status: Status, layer?: RefusalLayer) {
    const limit = stacks.stackTraceLimit
    stacks.stackTraceLimit = 0
    super(status.message)
    if (limit !== undefined) stacks.stackTraceLimit = limit
    this.name = 'ApiError'
    this.status = status
    this.layer = layer
  }

  get code(): number {
    return this.status.code ?? 500
  }
}

export function isRefusal(error: unknown, ...codes: readonly number[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

interface ResourceName {
  readonly plural: string
  readonly group: string
}

interface KindName {
  readonly kind: string
  readonly group: string
}

export function notFound(resource: ResourceName, name: string): ApiError {
  return failure(404, 'NotFound', `${qualifiedResource(resource)} ${quoted(name)} not found`, about(resource, name))
}

/** A path below a served group at which nothing is served. */
export function unknownResource(): ApiError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {})
}

export function alreadyExists(resource: ResourceName, name: string): ApiError {
  const message = `${qualifiedResource(resource)} ${quoted(name)} already exists`
  return failure(409, 'AlreadyExists', message, about(resource, name))
}

export function beingDeleted(resource: ResourceName, name: string): ApiError {
  const message = `object is being deleted: ${qualifiedResource(resource)} ${quoted(name)} already exists`
  return failure(409, 'AlreadyExists', message, about(resource, name))
}

export function generateNameExhausted(resource: ResourceName, name: string): ApiError {
  const message = `${qualifiedResource(resource)} ${quoted(name)} already exists, the server was not able to generate a unique name for the object`
  return failure(409, 'AlreadyExists', message, { ...about(resource, name), retryAfterSeconds: 1 })
}

/** Optimistic concurrency: another client wrote in between. `because` replaces the usual sentence. */
export function conflict(
  resource: ResourceName,
  name: string,
  because = 'the object has been modified; please apply your changes to the latest version and try again',
): ApiError {
  const message = `Operation cannot be fulfilled on ${qualifiedResource(resource)} ${quoted(name)}: ${because}`
  return failure(409, 'Conflict', message, about(resource, name))
}

export function applyConflict(message: string, causes: readonly StatusCause[]): ApiError {
  return failure(409, 'Conflict', message, { causes })
}

export function invalid(kind: KindName, name: string, allErrors: readonly FieldError[]): ApiError {
  const errors = allErrors.slice(0, maxFieldErrors).map(shownError)
  const texts = [...new Set(errors.map((each) => `${each.field}: ${each.message}`))]
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  return failure(422, 'Invalid', `${qualifiedKind(kind)} ${quoted(shortened(name))} is invalid: ${list}`, {
    ...(name === '' ? {} : { name: shortened(name) }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    ...(kind.kind === '' ? {} : { kind: kind.kind }),
    causes: errors,
  })
}

const longestField = 5_000

/** A client knows what it has sent: the beginning of long names and values is enough. */
function shownError({ reason, message, field }: FieldError): FieldError {
  return { reason, message: shortened(message), field: shortened(field, longestField) }
}

/** An update without a resourceVersion, for a kind that requires one. Named by the resource, as in kube-apiserver. */
export function resourceVersionRequired(resource: ResourceName, name: string): ApiError {
  const error = invalidFieldAs('metadata.resourceVersion', '0x0', 'must be specified for an update')
  return invalid({ kind: resource.plural, group: resource.group }, name, [error])
}

export function badRequest(message: string): ApiError {
  return failure(400, 'BadRequest', message)
}

export function unauthorized(message = 'Unauthorized', details?: StatusDetails): ApiError {
  return failure(401, 'Unauthorized', message, details)
}

/** `because` is the whole text after `is forbidden: `. */
export function forbidden(
  resource: ResourceName,
  name: string,
  because: string,
  details: StatusDetails = {},
): ApiError {
  const subject = name === '' ? qualifiedResource(resource) : `${qualifiedResource(resource)} ${quoted(name)}`
  return failure(403, 'Forbidden', `${subject} is forbidden: ${because}`, { ...about(resource, name), ...details })
}

export function forbiddenPath(message: string): ApiError {
  return failure(403, 'Forbidden', message, {})
}

export function methodNotAllowed(
  message = 'the server does not allow this method on the requested resource',
  details: StatusDetails = {},
): ApiError {
  return failure(405, 'MethodNotAllowed', message, details)
}

export function notAcceptable(message: string): ApiError {
  return failure(406, 'NotAcceptable', message)
}

/** None of the available representations is acceptable to the client. */
export function unlisted(available: string): ApiError {
  return failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available}`, {})
}

export function gone(message: string, continueToken?: string): ApiError {
  const error = failure(410, 'Expired', message)
  return continueToken === undefined ? error : new ApiError({ ...error.status, metadata: { continue: continueToken } })
}

export function tooLarge(message: string): ApiError {
  return failure(413, 'RequestEntityTooLarge', message)
}

/** Kubernetes has no reason for it. */
export function headTooLarge(bytes: number, limit: number): ApiError {
  return failure(
    431,
    '',
    `the URL and headers of the request are too large to be passed on: ${bytes} bytes, limit is ${limit}`,
  )
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const list = accepted.join(', ')
  return failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${list}`,
  )
}

/** A patch that could not be applied; Kubernetes does not reveal the reason. */
export function unprocessablePatch(): ApiError {
  return failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
}

export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return failure(429, 'TooManyRequests', message, { retryAfterSeconds })
}

/** A pod that must stay for now, because others like it are unavailable. */
export function disruptionBudgetExhausted(because: string): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  return failure(429, 'TooManyRequests', message, { causes: [{ reason: 'DisruptionBudget', message: because }] })
}

export function internalError(message: string): ApiError {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] })
}

export function serviceUnavailable(
  message: string,
  retryAfterSeconds = 1,
  causes: readonly StatusCause[] = [],
): ApiError {
  return failure(503, 'ServiceUnavailable', message, { ...(causes.length === 0 ? {} : { causes }), retryAfterSeconds })
}

/** Unavailable until a user or operator acts. With a time to retry, clients would silently retry for minutes. */
export function unreachable(message: string): ApiError {
  return failure(503, 'ServiceUnavailable', message)
}

/** A problem that only an administrator can solve. Waiting does not help, so clients get no time to retry. */
export function outOfService(cause: 'StorageFull' | 'AuditUnavailable', message: string): ApiError {
  return failure(503, 'ServiceUnavailable', message, { causes: [{ reason: cause, message }] })
}

export function timeout(message: string, details: StatusDetails = {}): ApiError {
  return failure(504, 'Timeout', `Timeout: ${message}`, details)
}

/** A read of a state that the server has not reached yet. */
export function resourceVersionTooLarge(requested: string, current: string): ApiError {
  return timeout(`Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

const longestMessage = 100_000

function failure(code: number, reason: string, message: string, details?: StatusDetails): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: shortened(message, longestMessage),
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  })
}

function about(resource: ResourceName, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name: shortened(name) }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  }
}
