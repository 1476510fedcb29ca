import type { IncomingHttpHeaders } from 'node:http'
import { answerText } from '../answer-text.ts'
import type { AnswerHead } from './answer-head.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { AnswerReceiver, HttpConnection } from './http-connection.ts'
import { throwIfGivenUp } from './whole-answer.ts'

/** How much waits here for whoever reads, before the server is held back. */
const mostWaitingBytes = 1024 * 1024
/** Only refusals are read as text. */
const longestText = 16 * 1024 * 1024

/** An answer that is read as it comes. It has to be read to its end, or given up by the signal. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly chunks: AsyncIterable<Buffer>
  text(): Promise<string>
}

export async function streamedAnswer(
  pool: ConnectionPool,
  request: string,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const connection = pool.take() ?? (await pool.whenFree(signal))
  throwIfGivenUp(pool, connection, signal)
  const giveUp = () => connection.destroy(signal.reason)
  signal.addEventListener('abort', giveUp)
  const chunks = new ArrivingChunks(connection, () => signal.removeEventListener('abort', giveUp))
  connection.send(request, chunks)
  const { status, headers } = await chunks.head
  return { status, headers, chunks, text: () => answerText(chunks, longestText) }
}

/** What has arrived of an answer and was not read yet. */
class ArrivingChunks implements AnswerReceiver, AsyncIterable<Buffer> {
  readonly mayPause = true
  readonly head: Promise<AnswerHead>
  readonly #connection: HttpConnection
  readonly #settled: () => void
  #chunks: Buffer[] = []
  #waitingBytes = 0
  #outcome: { readonly error?: unknown } | undefined
  #wake = () => {}
  #giveHead: (head: AnswerHead) => void = () => {}
  #refuseHead: (error: unknown) => void = () => {}

  constructor(connection: HttpConnection, settled: () => void) {
    this.#connection = connection
    this.#settled = settled
    this.head = new Promise((resolve, reject) => {
      this.#giveHead = resolve
      this.#refuseHead = reject
    })
  }

  onHead(head: AnswerHead): void {
    this.#giveHead(head)
  }

  onData(bytes: Buffer): void {
    this.#chunks.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes > mostWaitingBytes) this.#connection.pause()
    this.#wake()
  }

  onEnd(): void {
    this.#settle({})
  }

  onFailure(error: unknown): void {
    this.#refuseHead(error)
    this.#settle({ error })
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      for (;;) {
        const arrived = this.#takeAll()
        if (arrived.length > 0) yield* arrived
        else if (this.#outcome === undefined) await new Promise<void>((wake) => this.#wakeBy(wake))
        else if ('error' in this.#outcome) throw this.#outcome.error
        else return
      }
    } finally {
      if (this.#outcome === undefined) this.#connection.destroy(new Error('nobody reads the answer any more'))
    }
  }

  #takeAll(): readonly Buffer[] {
    const arrived = this.#chunks
    if (arrived.length === 0) return arrived
    this.#chunks = []
    // After the end the connection is somebody else's.
    if (this.#waitingBytes > mostWaitingBytes && this.#outcome === undefined) this.#connection.resume()
    this.#waitingBytes = 0
    return arrived
  }

  #wakeBy(wake: () => void): void {
    this.#wake = wake
  }

  #settle(outcome: { readonly error?: unknown }): void {
    this.#outcome = outcome
    this.#settled()
    this.#wake()
  }
}
