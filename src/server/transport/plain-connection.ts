import type { IncomingHttpHeaders } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Answer } from '../answer.ts'
import type { BodyLimit, CertificateSubject, Request } from '../http.ts'
import { tooLargeFor } from './body-reader.ts'
import type { DeferredWrites, SocketWriter } from './deferred-writes.ts'
import { deliver } from './deliver.ts'
import { type Peer, peerOf } from './peer.ts'
import { PlainChannel, type PlainChannelContext } from './plain-channel.ts'
import { type PlainFields, type PlainHead, readPlainHead } from './plain-head.ts'

export interface PlainContext extends PlainChannelContext {
  readonly answer: Answer
  readonly writes: DeferredWrites
  readonly keepAliveTimeoutMs: number
  /** Gives the connection to Node's HTTP server, from the next request on and for good. */
  readonly handOver: (socket: TLSSocket) => void
}

/** More than this is not read ahead while a request is being answered. */
const maxAheadBytes = 64 * 1024
const nothing = Buffer.alloc(0)

/**
 * An HTTP/1.1 connection as long as nothing but plain requests come in on it, each with its body in one piece, which is
 * most of what an API server is asked. They need none of what Node's HTTP server prepares for every request, and cost
 * half without it. At the first request that is anything else the connection is handed over.
 */
export class PlainConnection {
  readonly #socket: TLSSocket
  readonly #context: PlainContext
  readonly #writer: SocketWriter
  readonly #peer: Peer
  #fields: PlainFields | undefined
  #ahead: Buffer = nothing
  #isBusy = false

  constructor(socket: TLSSocket, context: PlainContext) {
    this.#socket = socket
    this.#context = context
    this.#writer = context.writes.writerFor(socket)
    this.#peer = peerOf(socket, socket)
    socket.setTimeout(context.keepAliveTimeoutMs, this.#onIdle)
    socket.on('error', ignore).on('end', this.#onEnd).on('data', this.#onData)
  }

  /** A busy one closes itself once its answer is out, when the server does. */
  closeIfIdle(): void {
    if (!this.#isBusy) this.#writer.end()
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#ahead = this.#ahead.length === 0 ? chunk : Buffer.concat([this.#ahead, chunk])
    if (!this.#isBusy) this.#serveNext()
    else if (this.#ahead.length > maxAheadBytes) this.#socket.pause()
  }

  readonly #onIdle = (): void => {
    if (!this.#isBusy) this.#socket.destroy()
  }

  readonly #onEnd = (): void => {
    if (!this.#isBusy) this.#writer.end()
  }

  #serveNext(): void {
    while (!this.#isBusy && this.#ahead.length > 0) {
      const head = readPlainHead(this.#ahead.toString('latin1'), this.#fields)
      const end = head === undefined ? Number.POSITIVE_INFINITY : head.length + (head.fields.bodyLength ?? 0)
      if (head === undefined || end > this.#ahead.length) {
        this.#handOver()
        return
      }
      const body = this.#ahead.subarray(head.length, end)
      this.#ahead = this.#ahead.length === end ? nothing : this.#ahead.subarray(end)
      this.#fields = head.fields
      this.#serve(head, body)
    }
  }

  #serve(head: PlainHead, body: Buffer): void {
    this.#isBusy = true
    const request = new PlainRequest(head, body, this.#socket, this.#peer)
    const channel = new PlainChannel(this.#writer, this.#context, () => {
      request.over()
      this.#isBusy = false
      if (this.#socket.destroyed || this.#socket.writableEnded) return
      if (this.#socket.isPaused()) this.#socket.resume()
      this.#serveNext()
    })
    this.#context.answer(request, (exchange, response) => deliver(exchange, response, channel))
  }

  #handOver(): void {
    const socket = this.#socket
    this.#writer.flush()
    socket.setTimeout(0).off('timeout', this.#onIdle)
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', ignore)
    socket.pause()
    if (this.#ahead.length > 0) socket.unshift(this.#ahead)
    this.#context.handOver(socket)
    socket.resume()
  }
}

function ignore(): void {}

/** One for all: the usual reason would be made anew, with its stack, for each request. */
const over = new Error('The request is over.')

class PlainRequest implements Request {
  readonly httpVersion = '1'
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly #body: Buffer
  readonly #socket: TLSSocket
  readonly #peer: Peer
  #closed: AbortController | undefined
  #isOver = false

  constructor({ method, url, fields }: PlainHead, body: Buffer, socket: TLSSocket, peer: Peer) {
    this.method = method
    this.url = url
    this.#body = body
    this.headers = fields.headers
    this.rawHeaders = fields.rawHeaders
    this.#socket = socket
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
    this.#closed = new AbortController()
    if (this.#isOver || this.#socket.destroyed) this.over()
    else this.#socket.once('close', this.over)
    return this.#closed.signal
  }

  /** The answer is out, or nobody is there to read it. */
  readonly over = (): void => {
    this.#isOver = true
    if (this.#closed === undefined) return
    this.#socket.off('close', this.over)
    this.#closed.abort(over)
  }

  openBody(): Buffer | undefined {
    return this.#body.length === 0 ? undefined : this.#body
  }

  readBody({ maxBytes }: BodyLimit): Promise<Buffer> {
    return this.#body.length > maxBytes ? Promise.reject(tooLargeFor(maxBytes)) : Promise.resolve(this.#body)
  }
}
