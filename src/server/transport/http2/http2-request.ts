import type { IncomingHttpHeaders } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Readable } from 'node:stream'
import type { BodyLimit, OpenBodyOptions, Peer, Request } from '../../http.ts'
import { requestOver } from '../../request/request-over.ts'
import { collectBody } from '../body-reader.ts'
import { clientAddressOf } from '../client-address.ts'
import type { IncomingStream } from './incoming-stream.ts'

export class Http2Request implements Request {
  readonly httpVersion = '2'
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly peer: Peer
  readonly clientAddress: string
  readonly upgrade?: string
  readonly #stream: ServerHttp2Stream
  readonly #onFlood: () => void
  #closed: AbortController | undefined
  #isEndless = false

  constructor({ stream, headers, rawHeaders, peer, upgrade }: IncomingStream, onFlood: () => void) {
    this.method = headers[':method'] ?? 'GET'
    this.url = headers[':path'] ?? '/'
    this.headers = headers
    this.rawHeaders = rawHeaders
    this.peer = peer
    this.clientAddress = clientAddressOf(peer, headers)
    if (upgrade !== undefined) this.upgrade = upgrade
    this.#stream = stream
    this.#onFlood = onFlood
  }

  get signal(): AbortSignal {
    if (this.#closed !== undefined) return this.#closed.signal
    const closed = new AbortController()
    this.#closed = closed
    if (this.#stream.destroyed) closed.abort(requestOver)
    else this.#stream.once('close', () => closed.abort(requestOver))
    return closed.signal
  }

  get isGone(): boolean {
    return this.#stream.destroyed
  }

  /** Whether part of the body has not arrived yet and must arrive in time. */
  get isWaitingForBody(): boolean {
    const stream = this.#stream
    if (this.#isEndless || stream.endAfterHeaders || stream.readableEnded) return false
    return stream.state.state !== constants.NGHTTP2_STREAM_STATE_HALF_CLOSED_REMOTE
  }

  readBody(limit: BodyLimit): Promise<Buffer> {
    return collectBody(this.#stream, limit, this.#onFlood)
  }

  openBody({ isEndless = false }: OpenBodyOptions = {}): Readable | undefined {
    this.#isEndless = isEndless
    return this.#stream.endAfterHeaders ? undefined : this.#stream
  }
}
