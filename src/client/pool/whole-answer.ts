import type { HttpAnswer } from '../answer-body.ts'
import { CollectedAnswer, type CollectedOptions } from './collected-answer.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { PooledConnection, PooledRequest } from './pooled-connection.ts'

export interface AnswerOptions extends CollectedOptions {
  /** Time from the request to the last byte of its answer. */
  readonly wholeTimeoutMs: number
}

/** Sends a request and collects the answer. */
export async function wholeAnswer(
  pool: ConnectionPool,
  request: PooledRequest,
  options: AnswerOptions,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const connection = pool.take() ?? (await pool.whenFree(signal))
  throwIfGivenUp(pool, connection, signal)
  return answerOn(connection, request, options, signal)
}

function answerOn(
  connection: PooledConnection,
  request: PooledRequest,
  options: AnswerOptions,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const answer = new CollectedAnswer(options)
    const stop = () => giveUp(signal?.reason)
    const timer = setTimeout(() => giveUp(answer.late(options.wholeTimeoutMs)), options.wholeTimeoutMs)
    const settled = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    signal?.addEventListener('abort', stop)
    const giveUp = connection.send(request, {
      onHead: (status, headers) => answer.begin(status, headers),
      onData: (bytes) => answer.add(bytes),
      onEnd: () => {
        settled()
        resolve(answer.whole())
      },
      onFailure: (error) => {
        settled()
        reject(error)
      },
    })
  })
}

/** Nothing is sent for a caller that gave up while waiting for the connection. */
function throwIfGivenUp(pool: ConnectionPool, connection: PooledConnection, signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  pool.giveBack(connection)
  throw signal.reason
}
