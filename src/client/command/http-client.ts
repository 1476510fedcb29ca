import { type Agent, type IncomingMessage, request } from 'node:http'
import type { HttpAnswer } from '../answer-body.ts'
import { pathPrefix } from '../connection/address.ts'
import { openConnection, type ServerEndpoint } from '../connection/connect.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { OpeningAgent } from '../connection/opening-agent.ts'
import { CollectedAnswer } from '../pool/collected-answer.ts'

export interface CommandRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute, with its query; appended to the path of the endpoint. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpClient {
  readonly origin: string
  send(sent: CommandRequest): Promise<HttpAnswer>
  close(): void
}

export interface HttpLimits {
  /** Time to the first byte of an answer, and between two of its bytes. */
  readonly answerTimeoutMs: number
  readonly maxAnswerBytes: number
  /** Limit for all answers together, which a command may keep. Absent: only each answer has a limit. */
  readonly maxAllBytes?: number
}

/** Time to the last byte of an answer, as a multiple of that to the first. */
const timesAsLong = 5

/** HTTP/1.1 over connections that are verified before anything is sent on them. */
export function createHttpClient(endpoint: ServerEndpoint, limits: HttpLimits): HttpClient {
  const agent = new OpeningAgent(() => openConnection(endpoint))
  const prefix = pathPrefix(endpoint.url)
  let leftBytes = limits.maxAllBytes ?? Number.POSITIVE_INFINITY
  return {
    origin: endpoint.url.origin,
    send: async ({ path, ...rest }) => {
      const maxAnswerBytes = Math.min(limits.maxAnswerBytes, leftBytes)
      const answer = await send({ ...rest, path: prefix + path }, agent, endpoint.url, { ...limits, maxAnswerBytes })
      leftBytes -= answer.body.length
      return answer
    },
    close: () => agent.destroy(),
  }
}

function send(sent: CommandRequest, agent: Agent, url: URL, limits: HttpLimits): Promise<HttpAnswer> {
  const { method, path, headers, body } = sent
  const { answerTimeoutMs, maxAnswerBytes } = limits
  return new Promise((resolve, reject) => {
    const answer = new CollectedAnswer({ origin: url.origin, maxBytes: maxAnswerBytes })
    const giveUp = (error: unknown) => {
      fail(error)
      outgoing.destroy()
    }
    const wholeTimeoutMs = timesAsLong * answerTimeoutMs
    const timer = setTimeout(() => giveUp(answer.late(wholeTimeoutMs)), wholeTimeoutMs)
    const fail = (error: unknown) => {
      clearTimeout(timer)
      reject(error instanceof ConnectionError ? error : connectionFailure(url.origin, error))
    }
    const outgoing = request({ method, path, agent, headers: { host: url.host, ...headers } }, (incoming) => {
      collect(incoming, answer).then((whole) => {
        clearTimeout(timer)
        resolve(whole)
      }, giveUp)
    })
    outgoing.setTimeout(answerTimeoutMs, () => {
      giveUp(new ConnectionError(`${url.origin} gave no answer within ${answerTimeoutMs / 1000} s`))
    })
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy()
      fail(new ConnectionError(`${url.origin} switched protocols without being asked`))
    })
    outgoing.on('error', fail).end(body)
  })
}

async function collect(incoming: IncomingMessage, answer: CollectedAnswer): Promise<HttpAnswer> {
  answer.begin(incoming.statusCode ?? 0, incoming.headers)
  for await (const chunk of incoming) answer.add(chunk)
  return answer.whole()
}
