import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { UnacceptableAnswer } from '../connection/connection-error.ts'
import type { OpeningAgent } from '../connection/opening-agent.ts'
import { CollectedAnswer, maxRefusalBytes } from '../pool/collected-answer.ts'
import type { HttpRequest } from '../pool/pooled-connection.ts'
import { failureOf } from './failure.ts'

/** An answer that is read as it comes. It has to be read to its end, or given up by the signal. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Whoever does not read holds back the server. */
  readonly chunks: AsyncIterable<Buffer>
  /** All of it. For refusals, which are short. */
  body(): Promise<Buffer>
}

export interface StreamOptions {
  readonly agent: OpeningAgent
  readonly url: URL
  /** Until the head has come, and for all of a refusal. */
  readonly answerTimeoutMs: number
}

/** By Node's own client: with undici 7 an answer that waits for its reader and is then cut ends the process. */
export async function streamedAnswer(
  request: HttpRequest,
  { agent, url, answerTimeoutMs }: StreamOptions,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const ended = new AbortController()
  const inTime = <T>(work: Promise<T>, problem: string) => {
    const late = new UnacceptableAnswer(`${url.origin} ${problem} within ${answerTimeoutMs / 1000} s`)
    const timer = setTimeout(() => ended.abort(late), answerTimeoutMs)
    return work.finally(() => clearTimeout(timer))
  }
  const { method, path, headers } = request
  const outgoing = httpRequest({ method, path, agent, headers: { host: url.host, ...headers }, signal: ended.signal })
  endWith(outgoing, ended, signal)
  const chunksOf = (incoming: IncomingMessage) => readChunks(incoming, url.origin, ended.signal)
  try {
    const incoming = await inTime(headOf(outgoing), 'gave no answer')
    const { statusCode: status = 0, headers } = incoming
    return {
      status,
      headers,
      chunks: { [Symbol.asyncIterator]: () => chunksOf(incoming) },
      body: () => inTime(collected(chunksOf(incoming), status, headers, url.origin), 'did not end its answer'),
    }
  } catch (error) {
    throw failureOf(error, url.origin, ended.signal)
  }
}

function endWith(outgoing: ClientRequest, ended: AbortController, signal: AbortSignal): void {
  const stop = () => ended.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  outgoing.once('close', () => signal.removeEventListener('abort', stop))
}

function headOf(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', (incoming) => {
      // Told to whoever reads it.
      incoming.on('error', () => {})
      resolve(incoming)
    })
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

async function collected(
  chunks: AsyncIterable<Buffer>,
  status: number,
  headers: IncomingHttpHeaders,
  origin: string,
): Promise<Buffer> {
  const answer = new CollectedAnswer({ origin, maxBytes: maxRefusalBytes })
  answer.begin(status, headers)
  for await (const chunk of chunks) answer.add(chunk)
  return answer.whole().body
}
