import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { LocalAsked } from '../../client/local/contract.ts'
import type { BodyLimit, Peer, Request } from '../http.ts'
import { requestOver } from '../request/request-over.ts'
import { tooLargeFor } from '../transport/body-reader.ts'

const noBody = Buffer.alloc(0)

/** A request from this process to its own server. */
export class LocalRequest implements Request {
  readonly httpVersion = '2'
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly peer: Peer
  readonly #asked: LocalAsked
  #ended: AbortController | undefined
  #isGone = false

  constructor(asked: LocalAsked, peer: Peer) {
    this.method = asked.method
    this.url = asked.url
    this.headers = asked.headers
    this.peer = peer
    this.#asked = asked
  }

  get rawHeaders(): readonly string[] {
    return Object.entries(this.#asked.headers).flatMap(([name, values]) =>
      [values].flat().flatMap((value) => [name, value]),
    )
  }

  get clientAddress(): string {
    return this.peer.remoteAddress
  }

  get signal(): AbortSignal {
    this.#ended ??= new AbortController()
    if (this.#isGone) this.#ended.abort(requestOver)
    return this.#ended.signal
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** The request was answered, or the client no longer waits. */
  end(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#ended?.abort(requestOver)
  }

  async readBody({ maxBytes, goOn }: BodyLimit): Promise<Buffer> {
    const { body = noBody } = this.#asked
    if (body.length > maxBytes) throw tooLargeFor(maxBytes)
    if (goOn?.(body.length) === false) throw new Error('No more of the body is wanted.')
    return body
  }

  openBody(): Readable | undefined {
    const { body } = this.#asked
    return body && Readable.from([body])
  }
}
