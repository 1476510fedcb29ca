import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { anonymousUser } from '../../../api/access.ts'
import type { Exchange } from '../../exchange.ts'
import type { Peer } from '../../http.ts'
import type { ConnectionContext, SupervisedConnection } from '../connection.ts'
import { deliver } from '../deliver.ts'
import { hasLostPeer } from '../lost-peer.ts'
import { headProblem, type MalformedRequest, refuseHead, refuseMalformed } from '../malformed.ts'
import { directNetworkOf, peerOf } from '../peer.ts'
import { Unread } from '../unread.ts'
import { Http1Channel } from './http1-channel.ts'
import { type Arrived, Http1Request } from './http1-request.ts'
import { serveUpgrade } from './upgrade.ts'

/** How long an answer may take after the client has closed its side. */
const lastAnswerMs = 1_000

/**
 * Requests on one HTTP/1.1 connection, one after the other: the next is begun when the client has taken the previous
 * answer. Node reads ahead, and would have all of them answered at once.
 */
export class Http1Connection implements SupervisedConnection {
  readonly network: string | undefined
  readonly #socket: TLSSocket
  readonly #context: ConnectionContext
  readonly #peer: Peer
  readonly #waiting: Arrived[] = []
  readonly #unread = new Unread()
  #current: Arrived | undefined
  /** Whether it switched to another protocol, whose readers may take their time. */
  #isUpgraded = false
  /** Whether a request to switch protocols is not answered yet. */
  #isUpgrading = false
  #caller: string | undefined
  /** Set once no further data is parsed as requests. */
  #brokenAtMs: number | undefined

  constructor(socket: TLSSocket, context: ConnectionContext) {
    this.#socket = socket
    this.#context = context
    this.#peer = peerOf(socket, context.proxies)
    this.network = directNetworkOf(this.#peer)
    socket.allowHalfOpen = true
    socket.on('end', this.#hearLastWord)
    // Node resumes a connection after each request it has read.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause()
    })
  }

  get caller(): string | undefined {
    return this.#caller
  }

  take(arrived: Arrived): void {
    if (this.#brokenAtMs !== undefined) return
    if (this.#current === undefined) this.#serve(arrived)
    else this.#hold(arrived)
  }

  /**
   * An upgrade is refused while another request is in flight, because that answer would end up in the other protocol.
   */
  takeUpgrade(incoming: IncomingMessage, head: Buffer): void {
    this.#context.endAnswers()
    this.#socket.on('error', () => this.cut())
    if (this.#current !== undefined || this.#brokenAtMs !== undefined || this.#context.isClosing()) {
      this.cut()
      return
    }
    this.#socket.allowHalfOpen = false
    this.#isUpgrading = true
    serveUpgrade(this.#context, {
      incoming,
      socket: this.#socket,
      head,
      peer: this.#peer,
      onCaller: this.#know,
      onUpgraded: () => {
        this.#isUpgraded = true
      },
      onStarted: () => {
        this.#isUpgrading = false
        if (this.#context.isClosing()) this.windDown()
      },
    })
  }

  /** The data is not a request, or did not arrive in time. Earlier requests are still answered. */
  fail(malformed: MalformedRequest): void {
    this.#context.endAnswers()
    const socket = this.#socket
    if (socket.destroyed || !socket.writable || malformed.code === 'ECONNRESET') {
      this.cut()
      return
    }
    socket.pause()
    this.#brokenAtMs ??= this.#context.now()
    const current = this.#current
    if (current === undefined || isHalfRead(current)) refuseMalformed(malformed, socket)
    else if (!current.incoming.complete) this.cut()
  }

  check(nowMs: number): void {
    if (this.#isUpgraded) {
      if (this.#isLostTunnel(nowMs)) this.cut()
      return
    }
    const { unreadTimeoutMs, lingerMs } = this.#context.limits
    const isOverdue =
      this.#brokenAtMs !== undefined && this.#socket.writableEnded && nowMs - this.#brokenAtMs >= lingerMs
    if (isOverdue || this.#unread.isStuck(this.#socket.writableLength, nowMs, unreadTimeoutMs)) this.cut()
  }

  windDown(): void {
    if (this.#current === undefined && !this.#isUpgrading) this.#socket.destroySoon()
  }

  cut(): void {
    this.#socket.destroy()
  }

  /**
   * While the other side takes nothing, nothing is read, so Node does not notice that the client is gone. The kernel
   * knows of a reset, but a client that has closed its side looks like one that waits.
   */
  #isLostTunnel(nowMs: number): boolean {
    const socket = this.#socket
    const { readableLength: waiting, bytesRead, bytesWritten } = socket
    const moved = waiting === 0 ? 0 : bytesRead - waiting + bytesWritten
    return hasLostPeer(socket) || this.#unread.isStuck(moved, nowMs, this.#context.limits.stuckTunnelTimeoutMs)
  }

  #hold(arrived: Arrived): void {
    this.#waiting.push(arrived)
    this.#socket.pause()
    if (this.#waiting.length <= this.#context.limits.maxPipelinedRequests) return
    // Node continues with the data it has read.
    this.#brokenAtMs ??= this.#context.now()
    this.#context.endAnswers()
    this.cut()
    this.#context.floods.report(this)
  }

  #serve(arrived: Arrived): void {
    const { incoming, outgoing } = arrived
    const { answer, limits } = this.#context
    this.#current = arrived
    outgoing.once('close', this.#next)
    const problem = headProblem(incoming, limits.maxHeaders)
    if (problem !== undefined) {
      refuseHead(outgoing, problem)
      return
    }
    const request = new Http1Request(arrived, this.#peer, () => this.#context.floods.report(this))
    const channel = new Http1Channel(outgoing, request, this.#context)
    answer(request, (exchange, response) => {
      this.#know(exchange)
      deliver(exchange, response, channel)
    })
  }

  readonly #know = ({ caller }: Exchange): void => {
    if (caller.name !== anonymousUser.name) this.#caller = caller.name
  }

  /**
   * Most clients that close their side are gone. Some only have nothing more to ask: they get an answer that is under
   * way, a stream ends, and longer work is given up.
   */
  readonly #hearLastWord = (): void => {
    this.#context.endAnswers()
    const current = this.#current
    if (current === undefined || current.outgoing.writableEnded) return
    if (current.outgoing.headersSent) this.cut()
    else setTimeout(() => current.outgoing.headersSent || this.cut(), lastAnswerMs).unref()
  }

  /** The answer has been taken, or the client is gone. Requests that follow a last answer are dropped. */
  readonly #next = (): void => {
    const socket = this.#socket
    this.#current = undefined
    if (socket.destroyed || !socket.writable) this.#waiting.length = 0
    const next = this.#waiting.shift()
    if (next !== undefined) {
      if (this.#waiting.length === 0 && this.#brokenAtMs === undefined) socket.resume()
      this.#serve(next)
    } else if (this.#brokenAtMs !== undefined || this.#context.isClosing()) {
      socket.destroySoon()
    }
  }
}

/** Whether its body is malformed or late, and no response has started. */
function isHalfRead({ incoming, outgoing }: Arrived): boolean {
  return !incoming.complete && !outgoing.headersSent
}
