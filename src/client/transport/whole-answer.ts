import type { Dispatcher, Pool } from 'undici'
import type { HttpAnswer } from '../answer-body.ts'

/** Sends a request and collects the answer, without the stream that undici would make of it: most answers are one chunk. */
export function wholeAnswer(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let head: Pick<HttpAnswer, 'status' | 'headers'> = { status: 0, headers: {} }
    let giveUp = () => reject(signal?.reason)
    const onAbort = () => giveUp()
    const settled = () => signal?.removeEventListener('abort', onAbort)
    signal?.addEventListener('abort', onAbort)
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        giveUp = () => controller.abort(signal?.reason)
        if (signal?.aborted) giveUp()
      },
      onResponseStart: (_controller, status, headers) => {
        head = { status, headers }
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk)
      },
      onResponseEnd: () => {
        settled()
        resolve({ ...head, text: textOf(chunks) })
      },
      onResponseError: (_controller, error) => {
        settled()
        reject(error)
      },
    })
  })
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first.toString('utf8') : Buffer.concat(chunks).toString('utf8')
}
