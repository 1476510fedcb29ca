import { ApiError } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { StatusCause, StatusDetails } from '../../api/types/meta-v1.ts'
import { isJsonObject } from '../../base/json/member.ts'

type Said = Readonly<Record<string, unknown>>

const longestText = 10_000
const mostCauses = 100
const longestRetrySeconds = 3_600

/** The error for a webhook's refusal: with the webhook's code and reason, if they are valid. */
export function deniedBy(webhook: string, said: Said): ApiError {
  const denied = `admission webhook ${quoted(webhook)} denied the request`
  const explanation = textIn(said.message) || textIn(said.reason)
  const reason = textIn(said.reason)
  const details = detailsIn(said.details)
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: explanation === '' ? `${denied} without explanation` : `${denied}: ${explanation}`,
    ...(reason !== '' && { reason }),
    ...(details && { details }),
    code: codeIn(said.code),
  })
}

/** A refusal is never returned as a success, or with an invalid HTTP status. */
function codeIn(code: unknown): number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599 ? code : 400
}

function detailsIn(details: unknown): StatusDetails | undefined {
  if (!isJsonObject(details)) return undefined
  const { causes, retryAfterSeconds } = details
  const names = ['name', 'group', 'kind', 'uid'].map((member) => [member, textIn(details[member])])
  const isRetried =
    typeof retryAfterSeconds === 'number' && Number.isInteger(retryAfterSeconds) && retryAfterSeconds > 0
  return {
    ...Object.fromEntries(names.filter(([, text]) => text !== '')),
    ...(Array.isArray(causes) && { causes: causes.slice(0, mostCauses).filter(isJsonObject).map(causeIn) }),
    ...(isRetried && { retryAfterSeconds: Math.min(retryAfterSeconds, longestRetrySeconds) }),
  }
}

function causeIn({ reason, message, field }: Said): StatusCause {
  const texts = Object.entries({ reason, message, field }).map(([member, value]) => [member, textIn(value)])
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestText) : ''
}
