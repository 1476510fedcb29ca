import { badRequest, methodNotAllowed, serviceUnavailable, tooManyRequests } from '../../api/error.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { parseJson } from '../../base/json/parse.ts'
import { contentTypeOf } from '../bodies/body.ts'
import { sourceOf } from '../callers/authenticate.ts'
import type { ExchangedToken, MachineKey, Sessions, SignOn } from '../contract.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit, Response } from '../http.ts'
import { parseQuery } from '../request/query.ts'
import { jsonResponse, withHeaders } from '../responses/responses.ts'

const bodyLimit: BodyLimit = { maxBytes: 32 * 1024, timeoutMs: 5_000 }
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
const takenTypes: readonly string[] = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
]

type ErrorCode = 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type' | 'temporarily_unavailable'

export interface ExchangeEndpointParts {
  readonly readBody: (exchange: Exchange, limit: BodyLimit) => Promise<Buffer>
  readonly sessions: Pick<Sessions, 'issueForMachine'>
  /** Absent: no issuer is trusted. */
  readonly signOn?: Pick<SignOn, 'exchange'> | undefined
  /** Throws or rejects when the request could not be recorded. */
  readonly requireAuditOf: (exchange: Exchange) => undefined | Promise<undefined>
}

/**
 * `POST /auth/exchange` (RFC 8693): exchanges a machine's token from a trusted issuer for a short-lived access key.
 * Strangers do not learn why a token is refused.
 */
export async function exchangeToken(exchange: Exchange, parts: ExchangeEndpointParts): Promise<Response> {
  if (exchange.request.method !== 'POST') throw methodNotAllowed()
  const asked = await askedIn(exchange, parts)
  if (asked.grant_type !== exchangeGrant)
    return refusal('unsupported_grant_type', `grant_type must be ${exchangeGrant}`)
  const { subject_token: sent = '', subject_token_type: type = '' } = asked
  // Files with tokens often end with a line break, which curl sends as well.
  const token = sent.trim()
  if (token === '' || !takenTypes.includes(type)) {
    return refusal(
      'invalid_request',
      `it takes a subject_token, and a subject_token_type out of ${takenTypes.join(', ')}`,
    )
  }
  const found = await parts.signOn?.exchange(token, sourceOf(exchange).address)
  if (found?.outcome === 'too-many') throw tooManyRequests('too many tokens were exchanged', found.retryAfterSeconds)
  if (found?.outcome === 'away') {
    return refusal('temporarily_unavailable', 'the keys of the issuer cannot be read now: try again')
  }
  const key = found?.outcome === 'exchanged' ? await issued(exchange, found.exchanged, parts) : undefined
  if (key === undefined)
    return refusal('invalid_grant', 'the token is not taken here: an administrator finds why in the log')
  return answer(200, {
    access_token: key.accessKey,
    issued_token_type: accessToken,
    token_type: 'Bearer',
    expires_in: key.ttlSeconds,
  })
}

async function issued(
  exchange: Exchange,
  machine: ExchangedToken,
  { sessions, requireAuditOf }: ExchangeEndpointParts,
): Promise<MachineKey | undefined> {
  const { owner, issuer, subject } = machine
  exchange.isAuthorized = true
  exchange.decision = `${subject} of the trusted issuer ${issuer} gets a key of the ${owner.kind} ${owner.name}`
  await requireAuditOf(exchange)
  return sessions.issueForMachine(machine)
}

type Asked = Readonly<Record<string, string | undefined>>

/** Accepts the form of the RFC, or the same as JSON. No message repeats parts of it. */
async function askedIn(exchange: Exchange, { readBody }: ExchangeEndpointParts): Promise<Asked> {
  const type = contentTypeOf(exchange)
  const text = (await readBody(exchange, bodyLimit)).toString('utf8')
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(parseQuery(text).pairs)
  const value = type === 'application/json' ? parsedJson(text) : undefined
  const entries = isJsonObject(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function parsedJson(text: string): unknown {
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}

/** Combines the error format of the RFC with that of this API. */
function refusal(error: ErrorCode, description: string): Response {
  const { status } = error === 'temporarily_unavailable' ? serviceUnavailable(description) : badRequest(description)
  return answer(status.code ?? 400, { ...status, error, error_description: description })
}

function answer(status: number, value: object): Response {
  return withHeaders(jsonResponse(status, value), ['Cache-Control', 'no-store', 'Pragma', 'no-cache'])
}
