import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { badRequest } from '../../api/error.ts'
import { deliver } from './deliver.ts'
import { Http1Channel, type Http1Context, Http1Request } from './http1.ts'
import { peerOf } from './peer.ts'

/**
 * A request that asks to go on in another protocol. It goes the same way as every other one. Whoever does not upgrade it
 * answers it as usual, and the connection is closed then: Node has stopped to read it as HTTP.
 */
export function serveUpgrade(context: Http1Context, incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => socket.destroy())
  if (!(socket instanceof TLSSocket) || context.isClosing()) {
    socket.destroy()
    return
  }
  const outgoing = new ServerResponse(incoming)
  outgoing.assignSocket(socket)
  outgoing.once('finish', () => socket.end())
  const request = new UpgradeRequest(incoming, outgoing, peerOf(socket, socket), false)
  const channel = new UpgradeChannel(outgoing, request, socket, head)
  context.answer(request, (exchange, response) => deliver(exchange, response, channel))
}

class UpgradeRequest extends Http1Request {
  get upgrade(): string {
    return this.headers.upgrade ?? ''
  }

  /** What follows the head is no body of HTTP any more. */
  override async readBody(): Promise<Buffer> {
    if (this.openBody() === undefined) return Buffer.alloc(0)
    throw badRequest('a request that asks for an upgrade of the connection cannot have a body here')
  }
}

class UpgradeChannel extends Http1Channel {
  readonly #outgoing: ServerResponse
  readonly #socket: TLSSocket
  readonly #head: Buffer

  constructor(outgoing: ServerResponse, request: Http1Request, socket: TLSSocket, head: Buffer) {
    super(outgoing, request, { answer: () => {}, isClosing: () => true })
    this.#outgoing = outgoing
    this.#socket = socket
    this.#head = head
  }

  /** Whoever takes the connection may take it from under Node's streams, so that nothing may be left to be written. */
  upgrade(status: number, headers: readonly string[], take: (connection: Duplex) => void): void {
    const socket = this.#socket
    this.#outgoing.detachSocket(socket)
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
    for (let index = 0; index + 1 < headers.length; index += 2) {
      text += `${headers[index]}: ${(headers[index + 1] ?? '').replace(/[\r\n]+/g, ' ')}\r\n`
    }
    socket.write(`${text}\r\n`, 'latin1', (error) => {
      if (error != null || socket.destroyed) return
      if (this.#head.length > 0) socket.unshift(this.#head)
      take(socket)
    })
  }
}
