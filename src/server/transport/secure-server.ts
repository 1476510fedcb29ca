import type { IncomingMessage, ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { AnswerRequest } from '../answers/answer.ts'
import type { TlsFiles } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { TrustedProxies } from '../proxies/trusted-proxies.ts'
import { Arrivals } from './accept/arrivals.ts'
import { CertificateRequests } from './accept/certificate-requests.ts'
import { Handshakes } from './accept/handshakes.ts'
import { TlsStarts } from './accept/tls-starts.ts'
import { AnswersOfTurn } from './answers-of-turn.ts'
import type { ConnectionContext, SupervisedConnection } from './connection.ts'
import { Floods } from './floods.ts'
import { Http1Connection } from './http1/http1-connection.ts'
import { Http2Connection } from './http2/http2-connection.ts'
import type { MalformedRequest } from './malformed.ts'
import { readAsStream } from './read-as-stream.ts'
import { http1Properties, serverOptions } from './server-options.ts'

export interface SecureServerParts {
  readonly tls: TlsFiles
  readonly limits: Limits
  /** Absent: none is trusted. */
  readonly proxies?: TrustedProxies | undefined
  readonly log: Log
  readonly answer: AnswerRequest
  /** For durations. */
  readonly elapsed: Clock
}

/** Connections are checked this often, or more often if they have less time. */
const mostBetweenChecksMs = 5_000

/** One port with Node's HTTP/1.1 and HTTP/2 over TLS. Manages connections, not their content. */
export class SecureServer {
  readonly #log: Log
  readonly #context: ConnectionContext
  readonly #server: Http2SecureServer
  readonly #arrivals: Arrivals
  /** Absent: no client is asked for a certificate. */
  readonly #handshakes: Handshakes | undefined
  readonly #connections = new Set<SupervisedConnection>()
  readonly #http1 = new WeakMap<object, Http1Connection>()
  #checking: NodeJS.Timeout | undefined
  #isClosing = false

  constructor({ tls, limits, proxies, log, answer, elapsed }: SecureServerParts) {
    this.#log = log
    const answers = new AnswersOfTurn()
    this.#context = {
      answer,
      limits,
      proxies,
      now: () => elapsed.now(),
      floods: new Floods(),
      isClosing: () => this.#isClosing,
      endAnswer: answers.end,
      endAnswers: answers.endAll,
    }
    this.#server = Object.assign(createSecureServer(serverOptions(tls, limits)), http1Properties(limits))
    this.#handshakes = tls.clientCa === undefined ? undefined : new Handshakes(new CertificateRequests(elapsed))
    const startTls = this.#takeOver('connection')
    const starts = new TlsStarts((socket) => {
      // Node reads this from the server when it takes over a connection.
      if (this.#handshakes !== undefined) Object.assign(this.#server, { requestCert: this.#handshakes.begin(socket) })
      startTls(socket)
    })
    this.#arrivals = new Arrivals({ limits, log, proxies }, starts.take)
    this.#server.on('connection', this.#arrivals.take)
    this.#serveConnections()
    this.#serveHttp1()
    this.#server.on('tlsClientError', (error) => log.debug('TLS handshake failed', { reason: error.message }))
    this.#server.on('sessionError', (error) => log.debug('HTTP/2 session failed', { reason: error.message }))
  }

  listen(port: number, host: string): Promise<{ readonly port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        this.#server.on('error', (error) => this.#log.error('server failed', { error }))
        this.#checking = setInterval(() => this.#check(), checkIntervalMs(this.#context.limits)).unref()
        const address = this.#server.address()
        resolve({ port: typeof address === 'object' && address !== null ? address.port : port })
      })
    })
  }

  /** For connections from now on; open ones keep theirs. */
  useCertificate(tls: TlsFiles): void {
    this.#server.setSecureContext(serverOptions(tls, this.#context.limits))
  }

  /** Idle connections close at once, busy ones when their answer is complete, the rest when the time is up. */
  async close(): Promise<void> {
    this.#isClosing = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#arrivals.cutSilent()
    for (const connection of this.#connections) connection.windDown()
    const deadline = setTimeout(() => this.#arrivals.cutAll(), this.#context.limits.shutdownTimeoutMs)
    await closed
    clearTimeout(deadline)
    clearInterval(this.#checking)
  }

  #serveConnections(): void {
    const toNode = this.#takeOver('secureConnection')
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      this.#handshakes?.end(socket)
      // Its handshake was under way when closing began, so it has no requests.
      if (this.#isClosing) {
        socket.destroy()
        return
      }
      if (socket.alpnProtocol === 'h2') {
        this.#server.once('session', (session: ServerHttp2Session) =>
          this.#keep(new Http2Connection(session, socket, this.#context), socket),
        )
        toNode(socket)
      } else {
        const connection = new Http1Connection(socket, this.#context)
        this.#http1.set(socket, connection)
        this.#keep(connection, socket)
        toNode(socket)
        readAsStream(socket)
      }
    })
  }

  #keep(connection: SupervisedConnection, socket: TLSSocket): void {
    const { floods } = this.#context
    this.#connections.add(connection)
    floods.add(connection)
    socket.once('close', () => {
      this.#connections.delete(connection)
      floods.remove(connection)
    })
  }

  #serveHttp1(): void {
    const take = (expectsContinue: boolean) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#http1.get(incoming.socket)?.take({ incoming, outgoing, expectsContinue })
    }
    this.#on('request', take(false))
    this.#on('checkContinue', take(true))
    // Otherwise Node answers other expectations itself, past all limits. HTTP allows a server to ignore them.
    this.#on('checkExpectation', take(false))
    this.#on('upgrade', (incoming: IncomingMessage, socket: TLSSocket, head: Buffer) => {
      this.#http1.get(socket)?.takeUpgrade(incoming, head)
    })
    this.#on('clientError', (error: Error & MalformedRequest, socket: TLSSocket) => {
      const connection = this.#http1.get(socket)
      if (connection === undefined) socket.destroy()
      else connection.fail(error)
    })
    // This listener would make Node answer HTTP/2 as soon as a listener for requests exists.
    this.#server.removeAllListeners('stream')
  }

  /** The types cover only the events of HTTP/2. */
  #on(event: string, listener: (...values: never[]) => void): void {
    this.#server.on(event as 'request', listener as never)
  }

  /** Removes Node's own listeners of an event and returns them as one function. */
  #takeOver(event: 'connection' | 'secureConnection'): (socket: Socket) => void {
    const listeners = this.#server.listeners(event)
    this.#server.removeAllListeners(event)
    return (socket) => {
      for (const listener of listeners) listener.call(this.#server, socket)
    }
  }

  #check(): void {
    const nowMs = this.#context.now()
    for (const connection of this.#connections) connection.check(nowMs)
  }
}

function checkIntervalMs({ headersTimeoutMs, bodyTimeoutMs, unreadTimeoutMs, pingIntervalMs }: Limits): number {
  return Math.min(mostBetweenChecksMs, headersTimeoutMs, bodyTimeoutMs, unreadTimeoutMs, pingIntervalMs)
}
