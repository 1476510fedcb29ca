import { type IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { badRequest } from '../../../api/error.ts'
import type { Exchange } from '../../exchange.ts'
import type { Peer, Upgrade } from '../../http.ts'
import type { ConnectionContext } from '../connection.ts'
import { deliver } from '../deliver.ts'
import { headProblem, refuseHead } from '../malformed.ts'
import { Http1Channel } from './http1-channel.ts'
import { Http1Request } from './http1-request.ts'

export interface AskedUpgrade {
  readonly incoming: IncomingMessage
  readonly socket: TLSSocket
  /** Data that arrived after the head. */
  readonly head: Buffer
  readonly peer: Peer
  /** Called when the caller is known. */
  readonly onCaller: (exchange: Exchange) => void
  /** Called when the connection is about to be upgraded. */
  readonly onUpgraded: () => void
  /** Called when the connection continues in the other protocol. */
  readonly onStarted: () => void
}

/**
 * A request to switch to another protocol. It is handled like any other request. A handler that does not upgrade it
 * answers as usual, and then the connection is closed: Node no longer reads it as HTTP.
 */
export function serveUpgrade({ answer, limits }: ConnectionContext, asked: AskedUpgrade): void {
  const { incoming, socket, peer, onCaller } = asked
  const outgoing = new ServerResponse(incoming)
  outgoing.assignSocket(socket)
  outgoing.once('finish', () => socket.destroySoon())
  // Node has released the connection, and no longer tells an answer that its client has taken a part of it.
  const goOn = () => outgoing.emit('drain')
  socket.on('drain', goOn)
  const onUpgraded = () => {
    socket.off('drain', goOn)
    asked.onUpgraded()
  }
  const problem = headProblem(incoming, limits.maxHeaders)
  if (problem !== undefined) {
    refuseHead(outgoing, problem)
    return
  }
  const request = new UpgradeRequest({ incoming, outgoing, expectsContinue: false }, peer, () => {})
  const channel = new UpgradeChannel(outgoing, request, { ...asked, onUpgraded })
  answer(request, (exchange, response) => {
    onCaller(exchange)
    deliver(exchange, response, channel)
  })
}

class UpgradeRequest extends Http1Request {
  get upgrade(): string {
    return this.headers.upgrade ?? ''
  }

  /** Data after the head is no longer an HTTP body. */
  override async readBody(): Promise<Buffer> {
    if (this.openBody() === undefined) return Buffer.alloc(0)
    throw badRequest('a request that asks for an upgrade of the connection cannot have a body here')
  }
}

class UpgradeChannel extends Http1Channel {
  readonly #outgoing: ServerResponse
  readonly #asked: AskedUpgrade

  constructor(outgoing: ServerResponse, request: Http1Request, asked: AskedUpgrade) {
    super(outgoing, request, { isClosing: () => true, endAnswer: (answer, body) => answer.end(body) })
    this.#outgoing = outgoing
    this.#asked = asked
  }

  /** The handler may take the connection away from Node's streams, so nothing may be left to write. */
  upgrade(status: number, headers: readonly string[], { start, giveUp }: Upgrade): void {
    const { socket, head, onUpgraded, onStarted } = this.#asked
    onUpgraded()
    const outgoing = this.#outgoing
    outgoing.writeHead(status, [...headers])
    outgoing.flushHeaders()
    outgoing.detachSocket(socket)
    socket.write('', (error) => {
      if (error != null || socket.destroyed) return giveUp()
      if (head.length > 0) socket.unshift(head)
      start(socket)
      onStarted()
    })
  }
}
