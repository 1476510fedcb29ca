import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'

/**
 * What ends on an HTTP/2 connection ends when Node is not reading it. Node up to 22.23.1 and 24.18.0 sends in the middle of
 * reading if a stream is reset there, and then goes on with memory that it has freed, so that a few bytes of a stranger end
 * the process (docs/decisions/0027-nothing-ends-while-node-reads.md).
 */

/**
 * Node closes a session by itself when the client says GOAWAY, and resets every stream that comes behind it in the same
 * bytes. Ours are ended by their connection.
 */
export function keepNodeFromClosing(session: ServerHttp2Session): void {
  session.close = () => {}
}

/** Resets a stream, in the next turn of the event loop. */
export function resetStream(stream: ServerHttp2Stream, code: number): void {
  setImmediate(() => {
    if (!stream.destroyed) stream.close(code)
  })
}
