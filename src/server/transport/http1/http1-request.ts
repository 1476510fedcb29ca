import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { BodyLimit, Peer, Request } from '../../http.ts'
import { requestOver } from '../../request/request-over.ts'
import { collectBody } from '../body-reader.ts'
import { clientAddressOf } from '../client-address.ts'

/** How much of an unread body is discarded to keep the connection. */
const maxThrownAwayBytes = 256 * 1024

/** A request whose head Node has read, with its response. */
export interface Arrived {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean
}

export class Http1Request implements Request {
  readonly httpVersion = '1'
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly peer: Peer
  readonly clientAddress: string
  readonly #arrived: Arrived
  readonly #onFlood: () => void
  #closed: AbortController | undefined
  /** Whether part of the body is still arriving and will not be read. */
  #hasUnreadBody = false

  constructor(arrived: Arrived, peer: Peer, onFlood: () => void) {
    const { method = 'GET', url = '/', headers } = arrived.incoming
    this.method = method
    this.url = url
    this.headers = headers
    this.peer = peer
    this.clientAddress = clientAddressOf(peer, headers)
    this.#arrived = arrived
    this.#onFlood = onFlood
  }

  get rawHeaders(): readonly string[] {
    return this.#arrived.incoming.rawHeaders
  }

  get signal(): AbortSignal {
    if (this.#closed !== undefined) return this.#closed.signal
    const closed = new AbortController()
    this.#closed = closed
    const { outgoing } = this.#arrived
    if (outgoing.destroyed) closed.abort(requestOver)
    else outgoing.once('close', () => closed.abort(requestOver))
    return closed.signal
  }

  get isGone(): boolean {
    return this.#arrived.outgoing.destroyed
  }

  async readBody(limit: BodyLimit): Promise<Buffer> {
    this.#askForBody()
    try {
      return await collectBody(this.#arrived.incoming, limit, this.#onFlood)
    } catch (error) {
      this.#hasUnreadBody = true
      throw error
    }
  }

  /** The server's `requestTimeout` limits the time; only after an upgrade is a connection a conversation. */
  openBody(): Readable | undefined {
    if (!hasBody(this.headers)) return undefined
    this.#askForBody()
    return this.#arrived.incoming
  }

  /** An unread body is discarded if it is known to be small; otherwise the connection must be closed. */
  get mustClose(): boolean {
    if (this.#hasUnreadBody) return true
    if (this.#arrived.incoming.complete) return false
    const length = this.headers['content-length']
    return length === undefined ? hasBody(this.headers) : Number(length) > maxThrownAwayBytes
  }

  #askForBody(): void {
    if (this.#arrived.expectsContinue) this.#arrived.outgoing.writeContinue()
  }
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
