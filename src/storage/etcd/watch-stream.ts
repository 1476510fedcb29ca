import { CallFailure, failureFrom } from './call-failure.ts'
import type { EtcdConnection } from './connection.ts'
import { watchPath } from './methods.ts'
import { encodeWatchCreate, type WatchCreateRequest } from './requests.ts'
import { decodeWatch, type WatchResponse } from './responses.ts'

/** The responses of one watch on one connection, with fragments joined, until it breaks or the signal aborts. */
export async function* watchResponses(
  connection: EtcdConnection,
  request: WatchCreateRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchResponse> {
  const stream = await connection.stream(watchPath)
  const cancel = () => stream.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    signal.throwIfAborted()
    stream.write(encodeWatchCreate(request))
    let parts: WatchResponse[] = []
    for await (const message of stream) {
      parts.push(decodeWatch(message))
      if (parts.at(-1)?.fragment === true) continue
      yield joined(parts)
      parts = []
    }
    throw new CallFailure('broken', 'etcd ended the watch')
  } catch (error) {
    throw isStatus(error) ? failureFrom(error) : error
  } finally {
    signal.removeEventListener('abort', cancel)
    // Canceling makes the stream fail, and no reader is left to receive the error.
    stream.on('error', () => undefined)
    stream.cancel()
  }
}

function joined(parts: readonly WatchResponse[]): WatchResponse {
  const [first, ...rest] = parts
  if (first === undefined) throw new Error('a watch response without parts')
  return rest.length === 0 ? first : { ...first, fragment: false, events: parts.flatMap((part) => part.events) }
}

function isStatus(error: unknown): error is { readonly code: number; readonly details: string } {
  return error instanceof Error && 'code' in error && 'details' in error && typeof error.details === 'string'
}
