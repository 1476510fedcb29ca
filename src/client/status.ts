import { ApiError, type Status } from '../api/error.ts'
import type { StatusCause, StatusDetails } from '../api/types/meta-v1.ts'
import { isJsonObject } from '../base/json/member.ts'

/** Limit of texts that are shown to users and stored with objects. */
const longestText = 4_000
const mostCauses = 100

/** The refusal in a body, or undefined if there is none. */
export function refusalIn(body: unknown, code: number): ApiError | undefined {
  if (!isJsonObject(body) || body.kind !== 'Status') return undefined
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: textOf(body.message) || textOf(body.reason) || `the server answered ${code}`,
    reason: textOf(body.reason),
    details: detailsOf(body.details),
    code,
  }
  return new ApiError(status)
}

function detailsOf(details: unknown): StatusDetails {
  if (!isJsonObject(details)) return {}
  const { name, group, kind, retryAfterSeconds, causes } = details
  return {
    ...(typeof name === 'string' ? { name: textOf(name) } : {}),
    ...(typeof group === 'string' ? { group: textOf(group) } : {}),
    ...(typeof kind === 'string' ? { kind: textOf(kind) } : {}),
    ...(typeof retryAfterSeconds === 'number' && retryAfterSeconds >= 0 ? { retryAfterSeconds } : {}),
    causes: Array.isArray(causes) ? causes.slice(0, mostCauses).filter(isJsonObject).map(causeOf) : [],
  }
}

function causeOf({ reason, message, field }: Record<string, unknown>): StatusCause {
  return { reason: textOf(reason), message: textOf(message), field: textOf(field) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestText) : ''
}
