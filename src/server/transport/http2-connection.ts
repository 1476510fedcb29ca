import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type Connection, type ConnectionContext, lingerMs } from './connection.ts'
import type { Http2Request } from './http2-request.ts'
import type { IncomingStream } from './incoming-stream.ts'
import { peerOf } from './peer.ts'
import { Pings } from './pings.ts'
import { serveStream } from './serve-stream.ts'
import { Unread } from './unread.ts'

interface OpenStream {
  readonly stream: ServerHttp2Stream
  readonly request: Http2Request
  readonly openedAtMs: number
  readonly unread: Unread
}

/** Requests that come by one HTTP/2 connection, each as a stream of its own. */
export class Http2Connection implements Connection {
  readonly #session: ServerHttp2Session
  readonly #socket: TLSSocket
  readonly #context: ConnectionContext
  readonly #pings: Pings
  readonly #open = new Set<OpenStream>()
  readonly #unread = new Unread()
  #idleSinceMs: number
  #hasAsked = false

  constructor(session: ServerHttp2Session, socket: TLSSocket, context: ConnectionContext) {
    this.#session = session
    this.#socket = socket
    this.#context = context
    this.#idleSinceMs = context.now()
    this.#pings = new Pings(session, context.now())
    const peer = peerOf(socket)
    session.on('error', () => this.cut())
    session.on('stream', (stream, headers, _flags, rawHeaders: string[] = []) =>
      this.#take({ stream, headers, rawHeaders, peer }),
    )
  }

  check(nowMs: number): void {
    const { pingIntervalMs, unreadTimeoutMs } = this.#context.limits
    if (this.#session.destroyed) return
    if (this.#pings.isSilent(nowMs, pingIntervalMs)) this.cut()
    else if (this.#unread.isStuck(this.#socket.writableLength, nowMs, unreadTimeoutMs)) this.cut()
    else if (this.#open.size === 0) this.#endIfIdle(nowMs)
    else for (const open of this.#open) this.#endIfSlow(open, nowMs)
  }

  windDown(): void {
    this.#session.close()
  }

  /**
   * By the connection and not by the session: that one, destroyed while a stream has something to send, may never return
   * from Node's own code.
   */
  cut(): void {
    this.#socket.destroy()
  }

  #take(incoming: IncomingStream): void {
    const { answer, limits, now } = this.#context
    const { stream } = incoming
    const request = serveStream(answer, incoming, limits.maxHeaders)
    if (request === undefined || stream.destroyed) return
    const open: OpenStream = { stream, request, openedAtMs: now(), unread: new Unread() }
    this.#hasAsked = true
    this.#open.add(open)
    stream.once('close', () => {
      this.#open.delete(open)
      if (this.#open.size === 0) this.#idleSinceMs = now()
    })
  }

  /** Whoever has not asked for anything yet gets as long as it may take to send the head of a request. */
  #endIfIdle(nowMs: number): void {
    const { keepAliveTimeoutMs, headersTimeoutMs } = this.#context.limits
    const idleMs = nowMs - this.#idleSinceMs
    if (this.#session.closed) {
      if (idleMs >= lingerMs) this.cut()
    } else if (idleMs >= (this.#hasAsked ? keepAliveTimeoutMs : headersTimeoutMs)) {
      this.#session.close()
      this.#idleSinceMs = nowMs
    }
  }

  /** Whoever waits for a body gives it up by itself; what is left then is a stream that nobody needs. */
  #endIfSlow({ stream, request, openedAtMs, unread }: OpenStream, nowMs: number): void {
    const { bodyTimeoutMs, unreadTimeoutMs } = this.#context.limits
    const isLate = nowMs - openedAtMs >= bodyTimeoutMs + lingerMs && request.isWaitingForBody
    if (isLate || unread.isStuck(stream.writableLength, nowMs, unreadTimeoutMs)) stream.close(constants.NGHTTP2_CANCEL)
  }
}
