import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Peer } from '../../http.ts'

/** A request on an HTTP/2 session, regardless of which side opened the session. */
export interface IncomingStream {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly peer: Peer
  /** The protocol to switch to on this stream. Only for a trusted session. */
  readonly upgrade?: string
}
