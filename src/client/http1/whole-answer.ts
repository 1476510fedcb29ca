import type { HttpAnswer } from '../answer-body.ts'
import { tooLarge } from '../answer-text.ts'
import type { AnswerHead } from './answer-head.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { HttpConnection } from './http-connection.ts'

/** Sends a request and collects the answer. */
export async function wholeAnswer(
  pool: ConnectionPool,
  request: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const connection = pool.take() ?? (await pool.whenFree(signal))
  throwIfGivenUp(pool, connection, signal)
  return answerOn(connection, request, maxBytes, signal)
}

function answerOn(
  connection: HttpConnection,
  request: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let head: AnswerHead | undefined
    const giveUp = () => connection.destroy(signal?.reason)
    const settled = () => signal?.removeEventListener('abort', giveUp)
    signal?.addEventListener('abort', giveUp)
    connection.send(request, {
      mayPause: false,
      onHead: (given) => {
        head = given
      },
      onData: (chunk) => {
        bytes += chunk.length
        if (bytes > maxBytes) throw tooLarge(maxBytes)
        chunks.push(chunk)
      },
      onEnd: () => {
        settled()
        resolve({ status: head?.status ?? 0, headers: head?.headers ?? {}, text: textOf(chunks) })
      },
      onFailure: (error) => {
        settled()
        reject(error)
      },
    })
  })
}

/** Nothing is sent for somebody who gave up while the connection was on its way to them. */
export function throwIfGivenUp(
  pool: ConnectionPool,
  connection: HttpConnection,
  signal: AbortSignal | undefined,
): void {
  if (!signal?.aborted) return
  pool.giveBack(connection)
  throw signal.reason
}

/** Most answers are one chunk. */
function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first.toString('utf8') : Buffer.concat(chunks).toString('utf8')
}
