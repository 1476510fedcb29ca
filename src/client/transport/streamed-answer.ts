import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Pace } from '../../base/pace.ts'
import type { HttpAnswer } from '../answer-body.ts'
import { limitAnnouncements } from '../connection/announcements.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import type { OpeningAgent } from '../connection/opening-agent.ts'
import { CollectedAnswer, type CollectedOptions, maxRefusalBytes } from '../pool/collected-answer.ts'
import type { PooledRequest } from '../pool/pooled-connection.ts'
import { failureOf } from './failure.ts'

/** An answer that is read as it arrives. It must be read to its end, or canceled by the signal. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** A reader that stops reading holds back the server. */
  readonly chunks: AsyncIterable<Buffer>
  /** Reads everything. For refusals, which are short. */
  body(): Promise<Buffer>
  /** Reads everything in parts, within limits. */
  collect(options: Omit<CollectedOptions, 'origin'>, timeoutMs: number): Promise<HttpAnswer>
}

export interface StreamOptions {
  readonly agent: OpeningAgent
  readonly url: URL
  /** Time until the head has arrived, and for a complete refusal. */
  readonly answerTimeoutMs: number
}

/** Uses Node's own client: with undici 7, cutting an answer that waits for its reader crashes the process. */
export async function streamedAnswer(
  request: PooledRequest,
  { agent, url, answerTimeoutMs }: StreamOptions,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const { origin } = url
  const ended = new AbortController()
  const inTime = <T>(work: Promise<T>, timeoutMs: number, late: Error) => {
    const timer = setTimeout(() => ended.abort(late), timeoutMs)
    return work.finally(() => clearTimeout(timer))
  }
  const { method, path, headers } = request
  const outgoing = httpRequest({ method, path, agent, headers: { host: url.host, ...headers }, signal: ended.signal })
  limitAnnouncements(outgoing, origin)
  endWith(outgoing, ended, signal)
  try {
    const late = new ConnectionError(`${origin} gave no answer within ${answerTimeoutMs / 1000} s`)
    const incoming = await inTime(headOf(outgoing, origin), answerTimeoutMs, late)
    const chunks = { [Symbol.asyncIterator]: () => readChunks(incoming, origin, ended.signal) }
    const collect: StreamedAnswer['collect'] = (options, timeoutMs) => {
      const answer = new CollectedAnswer({ ...options, origin })
      return inTime(collected(incoming, chunks, answer), timeoutMs, answer.late(timeoutMs))
    }
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      chunks,
      collect,
      body: async () => (await collect({ maxBytes: maxRefusalBytes }, answerTimeoutMs)).body,
    }
  } catch (error) {
    throw failureOf(error, origin, ended.signal)
  }
}

function endWith(outgoing: ClientRequest, ended: AbortController, signal: AbortSignal): void {
  const stop = () => ended.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  outgoing.once('close', () => signal.removeEventListener('abort', stop))
}

function headOf(outgoing: ClientRequest, origin: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', (incoming) => {
      // The reader gets the error.
      incoming.on('error', () => {})
      resolve(incoming)
    })
    outgoing.once('upgrade', (_, socket) => {
      socket.destroy()
      reject(new ConnectionError(`${origin} switched protocols without being asked`))
    })
    outgoing.once('close', () => reject(connectionFailure(origin, 'the connection was cut')))
    outgoing.on('error', reject).end()
  })
}

async function* readChunks(incoming: IncomingMessage, origin: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* incoming
  } catch (error) {
    throw failureOf(error, origin, signal)
  }
}

/** Yields to other work in between, while the server waits. */
async function collected(
  { statusCode = 0, headers }: IncomingMessage,
  chunks: AsyncIterable<Buffer>,
  answer: CollectedAnswer,
): Promise<HttpAnswer> {
  const pace = new Pace()
  answer.begin(statusCode, headers)
  for await (const chunk of chunks) {
    answer.add(chunk)
    await pace.step()
  }
  return answer.whole()
}
