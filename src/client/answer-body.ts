import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, type Status } from '../api/error.ts'
import { isJsonObject } from '../base/json/member.ts'
import { ConnectionError } from './connection/connection-error.ts'
import { readJson, Unreadable } from './received-json.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { ServerRefusal } from './server-refusal.ts'
import { refusalIn } from './status.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type JsonBody = Readonly<Record<string, unknown>>

/**
 * The answer of an API server. Throws its refusals as ApiError, and answers that no API server gives as
 * ConnectionError.
 */
export function bodyOf(answer: HttpAnswer, origin: string, read: (bytes: Buffer) => unknown = readJson): JsonBody {
  const { status } = answer
  if (status < 200 || status >= 300) throw refusalOf(answer, origin)
  const body = read(answer.body)
  if (isJsonObject(body)) return body
  throw strangeAnswer(answer, origin)
}

export function refusalOf(answer: HttpAnswer, origin: string): Error {
  const told = refusalIn(readRefusal(answer.body), answer.status) ?? plainRefusal(answer)
  return told === undefined ? strangeAnswer(answer, origin) : new ServerRefusal(withRetryAfter(told, answer), origin)
}

function readRefusal(bytes: Buffer): unknown {
  try {
    return readJson(bytes)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Copies the Retry-After header into the refusal: code that catches it has no headers. */
function withRetryAfter({ status }: ApiError, { headers }: HttpAnswer): Status {
  const asked = retryAfterSeconds(headers)
  if (asked === undefined || status.details?.retryAfterSeconds !== undefined) return status
  return { ...status, details: { ...status.details, retryAfterSeconds: asked } }
}

/** Busy, starting or stopping servers, paths outside all groups and a refused discovery answer in plain text. */
const plainReasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function plainRefusal({ status, headers, body }: HttpAnswer): ApiError | undefined {
  const reason = plainReasons[status]
  if (reason === undefined || !headers['content-type']?.startsWith('text/plain')) return undefined
  const message = body.toString('utf8', 0, 1000).trim().slice(0, 200) || `the server answered ${status}`
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code: status,
  })
}

function strangeAnswer({ status, headers }: HttpAnswer, origin: string): ConnectionError {
  const { location, 'content-type': type = 'no content type', 'proxy-authenticate': proxy } = headers
  if (status === 407 || proxy !== undefined)
    return new ConnectionError(`a proxy in front of ${origin} asks for credentials (${status})`)
  if (location !== undefined)
    return new ConnectionError(
      `${origin} redirects to another place (${status}); give the address of the platform itself`,
    )
  return new ConnectionError(
    `${origin} answered ${status} with ${type}, which no API server does; is a proxy or a login page in between?`,
  )
}
