import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { Bag } from '../../base/bag.ts'
import { type ConnectionContext, lingerMs, type SupervisedConnection } from './connection.ts'
import { keepNodeFromClosing, resetStream } from './http2-endings.ts'
import type { Http2Request } from './http2-request.ts'
import type { IncomingStream } from './incoming-stream.ts'
import { hasLostPeer } from './lost-peer.ts'
import { directNetworkOf, peerOf } from './peer.ts'
import { Pings } from './pings.ts'
import { type StreamService, serveStream } from './serve-stream.ts'
import { streamsAtFirst } from './server-options.ts'
import { Unread } from './unread.ts'

interface OpenStream {
  readonly stream: ServerHttp2Stream
  readonly request: Http2Request
  readonly openedAtMs: number
  readonly unread: Unread
}

/** Requests that come by one HTTP/2 connection, each as a stream of its own. */
export class Http2Connection implements SupervisedConnection {
  readonly network: string | undefined
  readonly #session: ServerHttp2Session
  readonly #socket: TLSSocket
  readonly #context: ConnectionContext
  readonly #pings: Pings
  readonly #open = new Bag<OpenStream>()
  readonly #unread = new Unread()
  readonly #service: StreamService
  #idleSinceMs: number
  #hasAsked = false
  #caller: string | undefined
  /** Of this turn of the event loop. */
  #streamsOfTurn = 0
  #isEnding = false
  #lingering: NodeJS.Timeout | undefined

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
    const { pingIntervalMs, unreadTimeoutMs } = this.#context.limits
    if (this.#session.destroyed) return
    if (hasLostPeer(this.#socket) || this.#pings.isSilent(nowMs, pingIntervalMs)) this.cut()
    else if (this.#unread.isStuck(this.#socket.writableLength, nowMs, unreadTimeoutMs)) this.cut()
    else if (this.#open.size === 0) this.#endIfIdle(nowMs)
    else for (const { item } of this.#open) this.#endIfSlow(item, nowMs)
  }

  /** Says the number of the last stream that is answered, and goes with it. */
  windDown(): void {
    if (this.#isEnding || this.#session.destroyed) return
    this.#isEnding = true
    this.#session.goaway(constants.NGHTTP2_NO_ERROR)
    this.#endIfOver()
  }

  /**
   * By the connection and not by the session: that one, destroyed while a stream has something to send, may never return
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
      this.#endIfOver()
    })
  }

  /** None is answered in the turn in which it came: there are more than may be open only if the client takes them back at once. */
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
    this.#idleSinceMs = this.#context.now()
    // By then Node has handed over what it still had to send.
    if (this.#isEnding) setImmediate(() => this.#open.size === 0 && this.#endSocket())
  }

  /** Node reads no more after the GOAWAYs, and so does not notice when the client ends the connection as well. */
  #endSocket(): void {
    this.#socket.end()
    this.#lingering ??= setTimeout(() => this.cut(), lingerMs).unref()
  }

  /** A client that has not asked for anything yet gets as long as it may take to send the head of a request. */
  #endIfIdle(nowMs: number): void {
    const { keepAliveTimeoutMs, headersTimeoutMs } = this.#context.limits
    const idleMs = nowMs - this.#idleSinceMs
    if (idleMs >= (this.#hasAsked ? keepAliveTimeoutMs : headersTimeoutMs)) this.windDown()
  }

  /** Readers that wait for a body give up by themselves; the stream that is left then is closed here. */
  #endIfSlow({ stream, request, openedAtMs, unread }: OpenStream, nowMs: number): void {
    const { bodyTimeoutMs, unreadTimeoutMs } = this.#context.limits
    const isLate = nowMs - openedAtMs >= bodyTimeoutMs + lingerMs && request.isWaitingForBody
    if (isLate || unread.isStuck(stream.writableLength, nowMs, unreadTimeoutMs)) stream.close(constants.NGHTTP2_CANCEL)
  }
}

/** Nothing of it is carried out, and the client learns that it may ask again elsewhere. */
function refuseStream(stream: ServerHttp2Stream): void {
  stream.on('error', () => {})
  resetStream(stream, constants.NGHTTP2_REFUSED_STREAM)
}
