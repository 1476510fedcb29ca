import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { Bag } from '../../../base/bag.ts'
import { type ConnectionContext, lingerOf, type SupervisedConnection } from '../connection.ts'
import { hasLostPeer } from '../lost-peer.ts'
import { directNetworkOf, peerOf } from '../peer.ts'
import { streamsAtFirst } from '../server-options.ts'
import { Unread } from '../unread.ts'
import { cutStream, keepNodeFromClosing, resetStream } from './http2-endings.ts'
import type { Http2Request } from './http2-request.ts'
import type { IncomingStream } from './incoming-stream.ts'
import { Pings } from './pings.ts'
import { type StreamService, serveStream } from './serve-stream.ts'

/** How often to look whether the client has closed its connection, while the server stops. */
const lookIntervalMs = 20

interface OpenStream {
  readonly stream: ServerHttp2Stream
  readonly request: Http2Request
  readonly openedAtMs: number
  readonly unread: Unread
}

/** Requests on one HTTP/2 connection, each in its own stream. */
export class Http2Connection implements SupervisedConnection {
  readonly network: string | undefined
  readonly #session: ServerHttp2Session
  readonly #socket: TLSSocket
  readonly #context: ConnectionContext
  readonly #pings: Pings
  readonly #open = new Bag<OpenStream>()
  readonly #service: StreamService
  #idleSinceMs: number
  #hasAsked = false
  #caller: string | undefined
  /** Streams opened in this iteration of the event loop. */
  #streamsOfTurn = 0
  #isEnding = false
  #lingering: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined

  constructor(session: ServerHttp2Session, socket: TLSSocket, context: ConnectionContext) {
    this.#session = session
    this.#socket = socket
    this.#context = context
    this.#idleSinceMs = context.now()
    this.#pings = new Pings(session, context.now())
    const { answer, limits } = context
    this.#service = {
      answer,
      maxHeaders: limits.maxHeaders,
      onLastAnswer: () => this.windDown(),
      onKnownCaller: (name) => this.#know(name),
      onFlood: () => context.floods.report(this),
    }
    const peer = peerOf(socket, context.proxies)
    this.network = directNetworkOf(peer)
    keepNodeFromClosing(session)
    session.on('error', () => this.cut())
    session.on('goaway', () => this.windDown())
    session.on('stream', (stream, headers, _flags, rawHeaders: string[] = []) =>
      this.#take({ stream, headers, rawHeaders, peer }),
    )
  }

  check(nowMs: number): void {
    const { pingIntervalMs } = this.#context.limits
    if (this.#session.destroyed) return
    if (hasLostPeer(this.#socket) || this.#pings.isSilent(nowMs, pingIntervalMs)) this.cut()
    else if (this.#open.size === 0) this.#endIfIdle(nowMs)
    else for (const { item } of this.#open) this.#endIfSlow(item, nowMs)
  }

  /** Announces the last stream that is answered, and closes after it. */
  windDown(): void {
    if (this.#isEnding) this.#hurry()
    if (this.#isEnding || this.#session.destroyed) return
    this.#isEnding = true
    this.#session.goaway(constants.NGHTTP2_NO_ERROR)
    this.#endIfOver()
  }

  /**
   * Destroys the connection, not the session: destroying a session while a stream has data to send may never return
   * from Node's own code.
   */
  cut(): void {
    this.#socket.destroy()
  }

  get caller(): string | undefined {
    return this.#caller
  }

  #know(name: string): void {
    const isFirst = this.#caller === undefined
    this.#caller = name
    if (!isFirst || this.#session.destroyed) return
    const { limits } = this.#context
    if (limits.maxStreamsPerConnection > streamsAtFirst(limits))
      this.#session.settings({ maxConcurrentStreams: limits.maxStreamsPerConnection })
  }

  #take(incoming: IncomingStream): void {
    const { now } = this.#context
    const { stream } = incoming
    if (this.#isFlooding()) {
      stream.on('error', () => {})
      return
    }
    if (this.#isEnding) {
      refuseStream(stream)
      return
    }
    const request = serveStream(this.#service, incoming)
    if (request === undefined || stream.destroyed) return
    const open: OpenStream = { stream, request, openedAtMs: now(), unread: new Unread() }
    this.#hasAsked = true
    const place = this.#open.add(open)
    stream.once('close', () => {
      this.#open.remove(place)
      if (this.#open.size === 0) this.#idleSinceMs = now()
      this.#endIfOver()
    })
  }

  /**
   * No stream is answered in the iteration in which it arrives: there are more than may be open only if the client
   * cancels them at once.
   */
  #isFlooding(): boolean {
    if (this.#streamsOfTurn === 0)
      setImmediate(() => {
        this.#streamsOfTurn = 0
      })
    this.#streamsOfTurn += 1
    const beyond = this.#streamsOfTurn - this.#context.limits.maxStreamsPerConnection
    if (beyond === 1) {
      this.cut()
      this.#context.floods.report(this)
    }
    return beyond > 0
  }

  #endIfOver(): void {
    if (this.#open.size > 0) return
    // By then, Node has passed on the data it still had to send.
    if (this.#isEnding) setImmediate(() => this.#open.size === 0 && this.#endSocket())
  }

  /** Node reads no more after the GOAWAYs, so it does not notice when the client closes the connection as well. */
  #endSocket(): void {
    this.#socket.end()
    if (this.#lingering === undefined) this.#linger()
  }

  /** Stopping the server does not wait for clients that were already told the end of their connection. */
  #hurry(): void {
    if (this.#lingering !== undefined && this.#context.isClosing()) this.#linger()
  }

  #linger(): void {
    const { now, limits, isClosing } = this.#context
    clearTimeout(this.#lingering)
    const idleMs = this.#hasAsked ? now() - this.#idleSinceMs : Number.POSITIVE_INFINITY
    this.#lingering = setTimeout(() => this.cut(), lingerOf(limits, idleMs, isClosing())).unref()
    if (isClosing()) this.#cutOnceClosed()
  }

  /** The kernel knows that the client has received everything and closed the connection as well. */
  #cutOnceClosed(): void {
    if (this.#looking !== undefined) return
    this.#looking = setInterval(() => hasLostPeer(this.#socket) && this.cut(), lookIntervalMs).unref()
    this.#socket.once('close', () => clearInterval(this.#looking))
  }

  /** A client that has not sent a request yet gets the time it may take to send a request head. */
  #endIfIdle(nowMs: number): void {
    const { keepAliveTimeoutMs, headersTimeoutMs } = this.#context.limits
    const idleMs = nowMs - this.#idleSinceMs
    if (idleMs >= (this.#hasAsked ? keepAliveTimeoutMs : headersTimeoutMs)) this.windDown()
  }

  /** Readers that wait for a body time out on their own; the remaining stream is closed here. */
  #endIfSlow({ stream, request, openedAtMs, unread }: OpenStream, nowMs: number): void {
    const { bodyTimeoutMs, unreadTimeoutMs, lingerMs } = this.#context.limits
    const isLate = nowMs - openedAtMs >= bodyTimeoutMs + lingerMs && request.isWaitingForBody
    if (isLate || unread.isStuck(stream.writableLength, nowMs, unreadTimeoutMs)) cutStream(stream)
  }
}

/** Nothing of the request is carried out, and the client learns that it may retry elsewhere. */
function refuseStream(stream: ServerHttp2Stream): void {
  stream.on('error', () => {})
  resetStream(stream, constants.NGHTTP2_REFUSED_STREAM)
}
