import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'

/**
 * Ends streams and sessions only while Node is not reading. Node up to 22.23.1 and 24.18.0 sends in the middle of
 * reading if a stream is reset there, and then continues with freed memory, so a few bytes of a stranger could crash
 * the process (docs/decisions/0027-http2-streams-end-between-reads.md).
 */

/**
 * Node closes a session on its own when the client sends GOAWAY, and resets every stream that follows in the same
 * bytes. Here, Http2Connection ends the session instead.
 */
export function keepNodeFromClosing(session: ServerHttp2Session): void {
  session.close = () => {}
}

/** Resets a stream in the next iteration of the event loop. */
export function resetStream(stream: ServerHttp2Stream, code: number): void {
  setImmediate(() => {
    if (!stream.destroyed) stream.close(code)
  })
}
