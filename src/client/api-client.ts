import { isJsonObject } from '../base/json/member.ts'
import { ConnectionError } from './connection-error.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'
import { refusalIn } from './status.ts'
import { warningTexts } from './warning-header.ts'

export interface ApiRequest {
  readonly method?: HttpRequest['method']
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** JSON unless told. */
  readonly contentType?: string
  readonly accept?: string
}

export type JsonBody = Readonly<Record<string, unknown>>

/** Talks to a Kubernetes API. What the server refuses is thrown as ApiError, what does not get there as ConnectionError. */
export interface ApiClient {
  readonly origin: string
  ask(asked: ApiRequest): Promise<JsonBody>
  close(): void
}

export interface ApiClientOptions {
  readonly http: HttpClient
  readonly token: string
  readonly userAgent: string
  onWarning(text: string): void
  /** Told of every answer, before it is looked at. */
  onAnswer?(answer: HttpAnswer): void
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { http } = options
  return {
    origin: http.origin,
    ask: async (asked) => {
      const answer = await http.send(toHttp(asked, options))
      options.onAnswer?.(answer)
      for (const text of warningTexts(answer.headers.warning)) options.onWarning(text)
      return bodyOf(answer, http.origin)
    },
    close: () => http.close(),
  }
}

function toHttp(asked: ApiRequest, { token, userAgent }: ApiClientOptions): HttpRequest {
  const {
    method = 'GET',
    path,
    query = {},
    body,
    contentType = 'application/json',
    accept = 'application/json',
  } = asked
  const search = new URLSearchParams(query).toString()
  const headers = { accept, authorization: `Bearer ${token}`, 'user-agent': userAgent }
  const sent = { method, path: search === '' ? path : `${path}?${search}` }
  if (body === undefined) return { ...sent, headers }
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  return { ...sent, headers: { ...headers, 'content-type': contentType, 'content-length': length }, body: text }
}

function bodyOf({ status, headers, text }: HttpAnswer, origin: string): JsonBody {
  const body = parsed(text)
  if (status >= 200 && status < 300 && body !== undefined) return body
  throw refusalIn(body, status) ?? new ConnectionError(strangeAnswer(origin, status, headers))
}

function parsed(text: string): JsonBody | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function strangeAnswer(origin: string, status: number, headers: HttpAnswer['headers']): string {
  const { location, 'content-type': type = 'no content type', 'proxy-authenticate': proxy } = headers
  if (status === 407 || proxy !== undefined) return `a proxy in front of ${origin} asks for credentials (${status})`
  if (location !== undefined)
    return `${origin} redirects to another place (${status}); give the address of the platform itself`
  return `${origin} answered ${status} with ${type}, which no API server does; is a proxy or a login page in between?`
}
