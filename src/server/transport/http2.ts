import type { IncomingHttpHeaders } from 'node:http'
import {
  constants,
  type IncomingHttpHeaders as Http2Headers,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit, CertificateSubject, Output, Request } from '../http.ts'
import { collectBody } from './body-reader.ts'
import type { Channel } from './channel.ts'
import { deliver } from './deliver.ts'
import type { IncomingStream } from './incoming-stream.ts'
import { type Peer, peerOf } from './peer.ts'

export function serveHttp2(
  answer: Answer,
  stream: ServerHttp2Stream,
  headers: Http2Headers,
  rawHeaders: readonly string[],
): void {
  const { session } = stream
  if (session === undefined || !(session.socket instanceof TLSSocket)) {
    stream.on('error', ignore)
    stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    return
  }
  serveStream(answer, { stream, headers, rawHeaders, peer: peerOf(session, session.socket) })
}

export function serveStream(answer: Answer, { stream, headers, rawHeaders, peer }: IncomingStream): void {
  stream.on('error', ignore)
  const request = new Http2Request(stream, headers, rawHeaders, peer)
  const channel = new Http2Channel(stream)
  answer(request, (exchange, response) => {
    deliver(exchange, response, channel)
    if (isStranger(exchange)) stream.session?.close()
  })
}

/** Whoever did not say who they are gets one answer per connection, so that they cannot hold many streams open. */
function isStranger({ caller, isOpenToAll }: Exchange): boolean {
  return caller.name === 'system:anonymous' && !isOpenToAll
}

function ignore(): void {}

class Http2Request implements Request {
  readonly httpVersion = '2'
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly #stream: ServerHttp2Stream
  readonly #peer: Peer
  #closed: AbortController | undefined

  constructor(stream: ServerHttp2Stream, headers: Http2Headers, rawHeaders: readonly string[], peer: Peer) {
    this.method = headers[':method'] ?? 'GET'
    this.url = headers[':path'] ?? '/'
    this.headers = headers
    this.rawHeaders = rawHeaders
    this.#stream = stream
    this.#peer = peer
  }

  get remoteAddress(): string {
    return this.#peer.remoteAddress
  }

  get localAddress(): string {
    return this.#peer.localAddress
  }

  get certificateSubject(): CertificateSubject | undefined {
    return this.#peer.certificateSubject
  }

  get signal(): AbortSignal {
    if (this.#closed !== undefined) return this.#closed.signal
    const closed = new AbortController()
    this.#closed = closed
    if (this.#stream.destroyed) closed.abort()
    else this.#stream.once('close', () => closed.abort())
    return closed.signal
  }

  readBody(limit: BodyLimit): Promise<Buffer> {
    return collectBody(this.#stream, limit)
  }

  openBody(): Readable | undefined {
    return this.#stream.endAfterHeaders ? undefined : this.#stream
  }
}

export class Http2Channel implements Channel {
  readonly #stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
  }

  send(status: number, headers: string[], body: Buffer | undefined): void {
    const stream = this.#stream
    if (stream.destroyed || stream.closed) return
    const isEmpty = body === undefined || body.length === 0
    stream.respond(http2Headers(status, headers), { endStream: isEmpty })
    if (!isEmpty) stream.end(body)
  }

  open(status: number, headers: string[]): Output {
    const stream = this.#stream
    if (!stream.destroyed && !stream.closed) stream.respond(http2Headers(status, headers))
    return new Http2Output(stream)
  }
}

function http2Headers(status: number, headers: readonly string[]): OutgoingHttpHeaders {
  const all: Record<string, number | string | string[]> = Object.create(null)
  all[':status'] = status
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase()
    const value = headers[index + 1] ?? ''
    const before = all[name]
    if (before === undefined) all[name] = value
    else all[name] = Array.isArray(before) ? [...before, value] : [String(before), value]
  }
  return all
}

class Http2Output implements Output {
  readonly #stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
  }

  write(chunk: Buffer): boolean {
    return this.#stream.destroyed || this.#stream.closed || this.#stream.write(chunk)
  }

  drained(): Promise<void> {
    const stream = this.#stream
    if (stream.destroyed || !stream.writableNeedDrain) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        stream.off('drain', settle).off('close', settle)
        resolve()
      }
      stream.on('drain', settle).on('close', settle)
    })
  }

  end(): void {
    if (!this.#stream.destroyed && !this.#stream.writableEnded) this.#stream.end()
  }

  destroy(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL)
  }
}
