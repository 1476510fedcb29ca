import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { giveUp } from '../../../client/forward/give-up.ts'

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

/** Cuts an answer in the next iteration of the event loop, so that the client does not take it for complete. */
export function cutStream(stream: ServerHttp2Stream): void {
  setImmediate(() => giveUp(stream))
}

/** Resets a stream in the next iteration of the event loop, after the end of its answer. */
export function resetStream(stream: ServerHttp2Stream, code: number): void {
  setImmediate(() => {
    if (!stream.destroyed) stream.close(code)
  })
}
