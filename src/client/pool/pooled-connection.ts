import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
// The package's index loads some ninety more files, which every command would wait for.
import Client from 'undici/lib/dispatcher/client.js'
import { mostAnnouncements } from '../connection/announcements.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { answerFailure } from './answer-failure.ts'

export interface PooledRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Includes the query. */
  readonly path: string
  /** One character per byte. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body?: string
}

/** Receives one answer. Either `onEnd` or `onFailure` is called last. */
export interface AnswerReceiver {
  /** An error thrown here, or in `onData`, ends the answer and becomes its failure. */
  onHead(status: number, headers: IncomingHttpHeaders): void
  onData(bytes: Buffer): void
  onEnd(): void
  onFailure(error: unknown): void
}

export interface PooledConnectionOptions {
  readonly origin: string
  /** Time to the first byte of an answer, and between two of its bytes. */
  readonly answerTimeoutMs: number
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number
}

export interface ConnectionOwner {
  /** The connection can accept the next request. */
  onFree(connection: PooledConnection): void
  onClosed(connection: PooledConnection): void
}

const maxHeadBytes = 16 * 1024
/** A connection is closed this long before the server would, so that no request meets its end. */
const keepAliveReserveMs = 1_000

/**
 * One connection, with one request at a time. The library never opens another one on its own, so no request can be sent
 * twice: a request that was under way when the connection broke has failed.
 */
export class PooledConnection {
  readonly #socket: Socket
  readonly #options: PooledConnectionOptions
  readonly #owner: ConnectionOwner
  readonly #client: Client
  readonly #broken = () => this.#socket.destroy()
  #isUsed = false
  #giveUp: (reason: unknown) => void = () => {}

  constructor(socket: Socket, options: PooledConnectionOptions, owner: ConnectionOwner) {
    const { origin, answerTimeoutMs, keepAliveMs } = options
    this.#socket = socket
    this.#options = options
    this.#owner = owner
    this.#client = new Client(origin, {
      connect: onlyOnce(socket, origin),
      pipelining: 1,
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      keepAliveTimeoutThreshold: keepAliveReserveMs,
      maxHeaderSize: maxHeadBytes,
    })
    socket.once('close', () => owner.onClosed(this))
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Returns a function that cancels the request and closes the connection. */
  send(request: PooledRequest, receiver: AnswerReceiver): (reason: unknown) => void {
    let controller: Dispatcher.DispatchController | undefined
    const { origin } = this.#options
    let announced = 0
    let givenUp: { readonly reason: unknown } | undefined
    this.#startUse()
    this.#giveUp = (reason) => {
      givenUp ??= { reason }
      controller?.abort(asError(reason))
    }
    this.#client.dispatch(dispatched(request), {
      onRequestStart: (started) => {
        controller = started
        if (givenUp !== undefined) started.abort(asError(givenUp.reason))
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) return receiver.onHead(status, onePerName(headers))
        announced += 1
        if (announced > mostAnnouncements)
          throw new ConnectionError(`${origin} sends too many informational answers (1xx)`)
      },
      onResponseData: (_, bytes) => receiver.onData(bytes),
      onResponseEnd: () => {
        this.#endUse()
        receiver.onEnd()
      },
      onResponseError: (_, error) => {
        this.#endUse()
        const nothingSent = controller === undefined
        receiver.onFailure(
          givenUp === undefined ? answerFailure(error, this.#options, { nothingSent }) : givenUp.reason,
        )
      },
    })
    return this.#giveUp
  }

  /** Call when idle. The library watches a used connection; on an unused one, nothing may happen at all. */
  rest(): void {
    if (this.#isUsed) return
    this.#socket.once('readable', this.#broken)
    this.#socket.setTimeout(this.#options.keepAliveMs, this.#broken)
    // An idle connection must not keep the process running.
    this.#socket.unref()
  }

  /** The receiver of a pending answer gets the reason as its failure. */
  destroy(reason: unknown): void {
    this.#giveUp(reason)
    this.#socket.destroy()
  }

  #startUse(): void {
    if (this.#isUsed) return
    this.#isUsed = true
    this.#socket.off('readable', this.#broken).off('timeout', this.#broken).setTimeout(0)
    this.#socket.ref()
  }

  /**
   * Freed before the answer is delivered, so that its receiver can use the connection for the next request, but after
   * the library has decided whether to keep the connection.
   */
  #endUse(): void {
    this.#giveUp = () => {}
    queueMicrotask(() => {
      if (!this.isOpen) return
      // A server that answered before it had read everything may never read the rest.
      if (this.#socket.writableLength > 0) this.#socket.destroy()
      else this.#owner.onFree(this)
    })
  }
}

/** A request for a second connection means that the first was lost before anything was sent. */
function onlyOnce(socket: Socket, origin: string): buildConnector.connector {
  let isTaken = false
  return (_, done) => {
    const isFirst = !isTaken
    isTaken = true
    queueMicrotask(() => {
      if (isFirst) done(null, socket)
      else done(connectionFailure(origin, 'the connection was cut', { nothingSent: true }), null)
    })
  }
}

/** `reset: false`: deletions have a body, after which the library would otherwise close the connection. */
function dispatched({ method, path, headers, body }: PooledRequest): Dispatcher.DispatchOptions {
  return { method, path, headers, body: body ?? null, reset: false, idempotent: false }
}

/** In Node's form: repeated headers become one value. */
function onePerName(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const [name, value] of Object.entries(headers))
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ')
  return headers
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
