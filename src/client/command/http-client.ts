import { type Agent, request } from 'node:http'
import type { HttpAnswer } from '../answer-body.ts'
import { answerText } from '../answer-text.ts'
import { pathPrefix } from '../connection/address.ts'
import { type Endpoint, openConnection } from '../connection/connect.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { OpeningAgent } from '../connection/opening-agent.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute, with its query; put behind the path of the endpoint. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpClient {
  readonly origin: string
  send(sent: HttpRequest): Promise<HttpAnswer>
  close(): void
}

export interface HttpLimits {
  readonly answerTimeoutMs: number
  readonly maxAnswerBytes: number
}

/** HTTP/1.1 over connections that are checked before anything is sent on them. */
export function createHttpClient(endpoint: Endpoint, limits: HttpLimits): HttpClient {
  const agent = new OpeningAgent(() => openConnection(endpoint))
  const prefix = pathPrefix(endpoint.url)
  return {
    origin: endpoint.url.origin,
    send: ({ path, ...rest }) => send({ ...rest, path: prefix + path }, agent, endpoint.url, limits),
    close: () => agent.destroy(),
  }
}

function send(sent: HttpRequest, agent: Agent, url: URL, limits: HttpLimits): Promise<HttpAnswer> {
  const { method, path, headers, body } = sent
  const { answerTimeoutMs } = limits
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(error instanceof ConnectionError ? error : connectionFailure(url.origin, error))
    const outgoing = request({ method, path, agent, headers: { host: url.host, ...headers } }, (incoming) => {
      answerText(incoming, limits.maxAnswerBytes).then(
        (text) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
        fail,
      )
    })
    outgoing.setTimeout(answerTimeoutMs, () => {
      outgoing.destroy(new ConnectionError(`${url.origin} gave no answer within ${answerTimeoutMs / 1000} s`))
    })
    outgoing.on('error', fail).end(body)
  })
}
