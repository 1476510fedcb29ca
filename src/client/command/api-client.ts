import { bodyOf, type HttpAnswer, type JsonBody } from '../answer-body.ts'
import type { CommandRequest, HttpClient } from './http-client.ts'
import { warningTexts } from './warning-header.ts'

export interface ApiRequest {
  readonly method?: CommandRequest['method']
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Defaults to JSON. */
  readonly contentType?: string
  readonly accept?: string
}

export type { JsonBody } from '../answer-body.ts'

/**
 * A client of a Kubernetes API. Refusals of the server are thrown as ApiError, failures to reach it as ConnectionError.
 */
export interface ApiClient {
  readonly origin: string
  ask(asked: ApiRequest): Promise<JsonBody>
  close(): void
}

export interface ApiClientOptions {
  readonly http: HttpClient
  /** Empty: the request is sent without credentials. */
  readonly token: string
  readonly userAgent: string
  onWarning(text: string): void
  /** Called with every answer, before it is read. */
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

function toHttp(asked: ApiRequest, { token, userAgent }: ApiClientOptions): CommandRequest {
  const {
    method = 'GET',
    path,
    query = {},
    body,
    contentType = 'application/json',
    accept = 'application/json',
  } = asked
  const search = new URLSearchParams(query).toString()
  const headers = { accept, 'user-agent': userAgent, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
  const sent = { method, path: search === '' ? path : `${path}?${search}` }
  if (body === undefined) return { ...sent, headers }
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  return { ...sent, headers: { ...headers, 'content-type': contentType, 'content-length': length }, body: text }
}
