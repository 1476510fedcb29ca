import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Answer } from '../answer.ts'
import type { BodyLimit, CertificateSubject, Output, Request } from '../http.ts'
import { collectBody } from './body-reader.ts'
import type { Channel } from './channel.ts'
import { deliver } from './deliver.ts'
import { type Peer, peerOf } from './peer.ts'

export interface Http1Context {
  readonly answer: Answer
  /** No more requests are wanted on any connection. */
  readonly isClosing: () => boolean
}

/** `expectsContinue`: the client waits for a word before it sends the body. */
export function serveHttp1(
  context: Http1Context,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  expectsContinue: boolean,
): void {
  if (!(incoming.socket instanceof TLSSocket)) {
    incoming.socket.destroy()
    return
  }
  const peer = peerOf(incoming.socket, incoming.socket)
  const request = new Http1Request(incoming, outgoing, peer, expectsContinue)
  const channel = new Http1Channel(outgoing, request, context)
  context.answer(request, (exchange, response) => deliver(exchange, response, channel))
}

export class Http1Request implements Request {
  readonly httpVersion = '1'
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #peer: Peer
  readonly #expectsContinue: boolean
  #closed: AbortController | undefined
  /** Part of the body is still on its way and nobody will read it. */
  hasUnreadBody = false

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, peer: Peer, expectsContinue: boolean) {
    this.method = incoming.method ?? 'GET'
    this.url = incoming.url ?? '/'
    this.headers = incoming.headers
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#peer = peer
    this.#expectsContinue = expectsContinue
  }

  get rawHeaders(): readonly string[] {
    return this.#incoming.rawHeaders
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
    if (this.#outgoing.destroyed) closed.abort()
    else this.#outgoing.once('close', () => closed.abort())
    return closed.signal
  }

  async readBody(limit: BodyLimit): Promise<Buffer> {
    if (this.#expectsContinue) this.#outgoing.writeContinue()
    try {
      return await collectBody(this.#incoming, limit)
    } catch (error) {
      this.hasUnreadBody = true
      throw error
    }
  }

  openBody(): Readable | undefined {
    if (!hasBody(this.headers)) return undefined
    if (this.#expectsContinue) this.#outgoing.writeContinue()
    return this.#incoming
  }

  /** A body that nobody asked for is thrown away when it is small, otherwise the connection goes. */
  get mustClose(): boolean {
    if (this.hasUnreadBody) return true
    return !this.#incoming.complete && Number(this.headers['content-length'] ?? 0) > 256 * 1024
  }
}

export class Http1Channel implements Channel {
  readonly #outgoing: ServerResponse
  readonly #request: Http1Request
  readonly #context: Http1Context

  constructor(outgoing: ServerResponse, request: Http1Request, context: Http1Context) {
    this.#outgoing = outgoing
    this.#request = request
    this.#context = context
  }

  send(status: number, headers: string[], body: Buffer | undefined): void {
    this.#outgoing.writeHead(status, this.#closingHeaders(headers))
    this.#outgoing.end(body)
  }

  open(status: number, headers: string[]): Output {
    this.#outgoing.writeHead(status, this.#closingHeaders(headers))
    this.#outgoing.flushHeaders()
    return new Http1Output(this.#outgoing, this.#context)
  }

  #closingHeaders(headers: string[]): string[] {
    if (this.#context.isClosing() || this.#request.mustClose) headers.push('Connection', 'close')
    return headers
  }
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

class Http1Output implements Output {
  readonly #outgoing: ServerResponse
  readonly #context: Http1Context

  constructor(outgoing: ServerResponse, context: Http1Context) {
    this.#outgoing = outgoing
    this.#context = context
  }

  write(chunk: Buffer): boolean {
    return this.#outgoing.destroyed || this.#outgoing.write(chunk)
  }

  drained(): Promise<void> {
    const outgoing = this.#outgoing
    if (outgoing.destroyed || !outgoing.writableNeedDrain) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        outgoing.off('drain', settle).off('close', settle)
        resolve()
      }
      outgoing.on('drain', settle).on('close', settle)
    })
  }

  /** The head may have promised to keep a connection that is not wanted any more. */
  end(): void {
    const { socket, destroyed } = this.#outgoing
    if (!destroyed) this.#outgoing.end(() => this.#context.isClosing() && socket?.end())
  }

  destroy(): void {
    this.#outgoing.destroy()
  }
}
