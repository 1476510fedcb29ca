import type { IncomingHttpHeaders } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Peer } from './peer.ts'

/** A whole request that came by no connection of its own. */
export interface IncomingCall {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly peer: Peer
}

/** Exactly one of these is called, once. */
export interface CallReply {
  whole(status: number, headers: readonly string[], body: Buffer | undefined): void
  /** The answer is too long, or has no end yet: it is sent when there is a stream for it. */
  onStream(send: (stream: ServerHttp2Stream) => void): void
}
