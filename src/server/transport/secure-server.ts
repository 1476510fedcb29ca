import type { IncomingMessage, ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Answer } from '../answer.ts'
import type { TlsFiles } from '../contract.ts'
import type { Limits } from '../limits.ts'
import { DeferredWrites } from './deferred-writes.ts'
import { checkFirstByte } from './first-byte.ts'
import { httpDate } from './http-date.ts'
import { serveHttp1 } from './http1.ts'
import { serveHttp2 } from './http2.ts'
import { keepAlive } from './ping.ts'
import { PlainConnection, type PlainContext } from './plain-connection.ts'
import { serveUpgrade } from './upgrade.ts'

export interface SecureServerParts {
  readonly tls: TlsFiles
  readonly limits: Limits
  readonly log: Log
  readonly answer: Answer
  readonly clock: Clock
}

/** One port, HTTP/1.1 and HTTP/2 over TLS. Knows connections, not what is said on them. */
export class SecureServer {
  readonly #log: Log
  readonly #limits: Limits
  readonly #server: Http2SecureServer
  readonly #sockets = new Set<Socket>()
  /** Those on which nothing has arrived yet. */
  readonly #silentSockets = new Set<Socket>()
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #plainConnections = new Map<Socket, PlainConnection>()
  #isClosing = false

  constructor({ tls, limits, log, answer, clock }: SecureServerParts) {
    this.#log = log
    this.#limits = limits
    this.#server = createSecureServer(serverOptions(tls, limits))
    this.#applyTimeouts()
    this.#checkFirstBytes()
    this.#servePlainConnections(answer, clock)
    const context = { answer, isClosing: () => this.#isClosing }
    this.#onHttp1('request', (incoming, outgoing) => serveHttp1(context, incoming, outgoing, false))
    this.#onHttp1('checkContinue', (incoming, outgoing) => serveHttp1(context, incoming, outgoing, true))
    this.#server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
      serveUpgrade(context, incoming, socket, head),
    )
    this.#server.removeAllListeners('stream')
    this.#server.on('stream', (stream, headers, _flags, rawHeaders: string[] = []) =>
      serveHttp2(answer, stream, headers, rawHeaders),
    )
    this.#server.on('session', (session) => this.#keepSession(session))
    this.#server.on('clientError', (error, socket) => refuseMalformed(error, socket))
    this.#server.on('tlsClientError', (error) => log.debug('TLS handshake failed', { reason: error.message }))
    this.#server.on('sessionError', (error) => log.debug('HTTP/2 session failed', { reason: error.message }))
  }

  listen(port: number, host: string): Promise<{ readonly port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        this.#server.on('error', (error) => this.#log.error('server failed', { error }))
        const address = this.#server.address()
        resolve({ port: typeof address === 'object' && address !== null ? address.port : port })
      })
    })
  }

  /** Idle connections go at once, busy ones when their answer is out, the rest when the time is up. */
  async close(): Promise<void> {
    this.#isClosing = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#silentSockets) socket.destroy()
    for (const session of this.#sessions) session.close()
    for (const connection of this.#plainConnections.values()) connection.closeIfIdle()
    const deadline = setTimeout(() => this.#destroyAll(), this.#limits.shutdownTimeoutMs)
    await closed
    clearTimeout(deadline)
  }

  #applyTimeouts(): void {
    const { headersTimeoutMs, bodyTimeoutMs, keepAliveTimeoutMs } = this.#limits
    Object.assign(this.#server, {
      connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
      headersTimeout: headersTimeoutMs,
      requestTimeout: headersTimeoutMs + bodyTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    })
  }

  /** TLS starts only after the first byte has shown that the client speaks it. */
  #checkFirstBytes(): void {
    const startTls = this.#takeOver('connection')
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      this.#silentSockets.add(socket)
      socket.once('close', () => {
        this.#sockets.delete(socket)
        this.#silentSockets.delete(socket)
      })
      socket.setNoDelay(true)
      socket.setKeepAlive(true, this.#limits.pingIntervalMs)
      checkFirstByte(socket, this.#limits.headersTimeoutMs, (ready) => {
        this.#silentSockets.delete(ready)
        startTls(ready)
      })
    })
  }

  /** HTTP/1.1 connections start as plain ones; Node's server gets them when something else than a plain GET comes. */
  #servePlainConnections(answer: Answer, clock: Clock): void {
    const toNode = this.#takeOver('secureConnection')
    const context: PlainContext = {
      answer,
      writes: new DeferredWrites(),
      isClosing: () => this.#isClosing,
      date: httpDate(clock),
      keepAliveTimeoutMs: this.#limits.keepAliveTimeoutMs,
      handOver: (socket) => {
        this.#plainConnections.delete(socket)
        toNode(socket)
      },
    }
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      // Its handshake was under way when the closing began: nothing has been asked on it.
      if (this.#isClosing) {
        socket.destroy()
        return
      }
      if (socket.alpnProtocol === 'h2') {
        toNode(socket)
        return
      }
      this.#plainConnections.set(socket, new PlainConnection(socket, context))
      socket.once('close', () => this.#plainConnections.delete(socket))
    })
  }

  /** Removes Node's own listeners of an event and returns them as one function. */
  #takeOver(event: 'connection' | 'secureConnection'): (socket: Socket) => void {
    const listeners = this.#server.listeners(event)
    this.#server.removeAllListeners(event)
    return (socket) => {
      for (const listener of listeners) listener.call(this.#server, socket)
    }
  }

  #onHttp1(
    event: 'request' | 'checkContinue',
    listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  ): void {
    this.#server.on(event as 'request', listener as never)
  }

  #keepSession(session: ServerHttp2Session): void {
    this.#sessions.add(session)
    session.once('close', () => this.#sessions.delete(session))
    keepAlive(session, this.#limits)
  }

  #destroyAll(): void {
    for (const session of this.#sessions) session.destroy()
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** 128 bits are as safe as 256 here and a third faster, which long lists show. */
const fastCiphersFirst = `TLS_AES_128_GCM_SHA256:${DEFAULT_CIPHERS}`

function serverOptions(tls: TlsFiles, limits: Limits) {
  return {
    allowHTTP1: true,
    key: tls.key,
    cert: tls.cert,
    ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: false }),
    minVersion: 'TLSv1.2' as const,
    ciphers: fastCiphersFirst,
    handshakeTimeout: limits.headersTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    maxSessionMemory: 64,
    settings: { maxConcurrentStreams: limits.maxStreamsPerConnection, maxHeaderListSize: limits.maxHeaderBytes },
    peerMaxConcurrentStreams: 0,
  }
}

const malformedAnswers: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

function refuseMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = malformedAnswers.get(error.code ?? '') ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`)
}
