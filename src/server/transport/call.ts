import type { IncomingHttpHeaders } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import type { BodyLimit, CertificateSubject, Output, Request, Response } from '../http.ts'
import { tooLargeFor } from './body-reader.ts'
import type { Channel } from './channel.ts'
import { deliver } from './deliver.ts'
import { Http2Channel } from './http2.ts'
import type { CallReply, IncomingCall } from './incoming-call.ts'
import type { Peer } from './peer.ts'

/** Answers above this are compressed, or sent piece by piece. */
const wholeUpTo = 64 * 1024

/** The returned function says that nobody waits for the answer any more. */
export function serveCall(answer: Answer, call: IncomingCall, reply: CallReply): () => void {
  const request = new CallRequest(call)
  const gone = () => request.gone()
  answer(request, (exchange, response) => {
    if (!isSmall(response)) {
      reply.onStream((stream) => sendOn(stream.once('close', gone), exchange, response))
      return
    }
    deliver(exchange, response, new CallChannel(reply))
    gone()
  })
  return gone
}

function isSmall({ body }: Response): boolean {
  return Buffer.isBuffer(body) && body.length <= wholeUpTo
}

function sendOn(stream: ServerHttp2Stream, exchange: Exchange, response: Response): void {
  deliver(exchange, response, new Http2Channel(stream))
}

class CallChannel implements Channel {
  readonly #reply: CallReply

  constructor(reply: CallReply) {
    this.#reply = reply
  }

  send(status: number, headers: string[], body: Buffer | undefined): void {
    this.#reply.whole(status, headers, body)
  }

  open(): Output {
    throw new Error('A small answer was to be sent bit by bit.')
  }
}

class CallRequest implements Request {
  readonly httpVersion = '2'
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly #body: Buffer
  readonly #peer: Peer
  #closed: AbortController | undefined
  #isGone = false

  constructor({ method, url, headers, rawHeaders, body, peer }: IncomingCall) {
    this.method = method
    this.url = url
    this.headers = headers
    this.rawHeaders = rawHeaders
    this.#body = body
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
    this.#closed ??= new AbortController()
    if (this.#isGone) this.#closed.abort()
    return this.#closed.signal
  }

  gone(): void {
    this.#isGone = true
    this.#closed?.abort()
  }

  openBody(): Buffer | undefined {
    return this.#body.length === 0 ? undefined : this.#body
  }

  readBody({ maxBytes }: BodyLimit): Promise<Buffer> {
    return this.#body.length > maxBytes ? Promise.reject(tooLargeFor(maxBytes)) : Promise.resolve(this.#body)
  }
}
