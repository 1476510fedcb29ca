import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { TrustedProxies } from './proxies/trusted-proxies.ts'

/** An HTTP request, independent of its protocol. Tests create one from plain data. */
export interface Request {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** Names in lower case; repeated values are joined by commas. */
  readonly headers: IncomingHttpHeaders
  /** Name, value, name, value … as sent, for headers that may repeat. */
  readonly rawHeaders: readonly string[]
  readonly httpVersion: '1' | '2'
  readonly peer: Peer
  /** The other end of the connection or, if that is a trusted proxy, the client that the proxy names. */
  readonly clientAddress: string
  /** Aborts when the client disconnects. Created on first use. */
  readonly signal: AbortSignal
  /** Whether the client has disconnected. Does not create the signal. */
  readonly isGone: boolean
  /** The protocol that the client wants to switch to on this connection, such as `websocket`. */
  readonly upgrade?: string
  /** Reads the body; may be called once. Refuses a body that exceeds the limit or does not arrive in time. */
  readBody(limit: BodyLimit): Promise<Buffer>
  /** The body as a stream to pass on, in place of `readBody`; may be called once. Undefined: there is no body. */
  openBody(options?: OpenBodyOptions): Readable | undefined
}

/**
 * The other end of a connection. There is one object per connection, so requests with the same peer share a connection.
 */
export interface Peer {
  readonly remoteAddress: string
  /** `host:port` of the socket that accepted the connection. */
  readonly localAddress: string
  /** Subject of a client certificate that the configured authority signed. */
  readonly certificateSubject: CertificateSubject | undefined
  /** Why the client's certificate proves nothing. Absent: the client sent none, or a valid one. */
  readonly refusedCertificate?: string
  /** Set for a peer that keeps the audit log of the requests it forwards and wants their annotations. */
  readonly takesAnnotations?: true
  /**
   * Set for a peer that is one of these proxies and forwards requests of others. Absent: its claims about where a
   * request came from are ignored.
   */
  readonly proxies?: TrustedProxies
}

export interface OpenBodyOptions {
  /**
   * Whether the body is a conversation, in which the sender may be silent for any time. Other bodies must arrive in
   * time.
   */
  readonly isEndless?: boolean
}

export interface BodyLimit {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Called for every piece that arrives; false: no more is accepted, and what has arrived is dropped. */
  readonly goOn?: (bytes: number) => boolean
}

export interface CertificateSubject {
  readonly commonName: string
  readonly organizations: readonly string[]
  /** The end of the certificate, even on a connection that lasts longer. Absent: as long as the connection. */
  readonly endsAtMs?: number
  /** SHA-256 of the certificate, in hexadecimal. Absent: there is none. */
  readonly fingerprint?: string
}

/** `headers` is a flat list of names and values; Audit-Id, Warning and Content-Length are added on sending. */
export interface Response {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: ResponseBody
}

export type ResponseBody = Buffer | Pieces | Stream | Upgrade

/**
 * A body too large for one buffer. Pieces are made while sending, so that memory stays flat: each is valid only until
 * the next is requested, which happens after the receiver has taken it.
 */
export interface Pieces {
  readonly form: 'pieces'
  /** Undefined: not known in advance. */
  readonly byteLength: number | undefined
  readonly pieces: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** A body that continues until one side ends it. `start` is called once the head has been sent. */
export interface Stream {
  readonly form: 'stream'
  /** The source of a body from another server: data that has arrived waits there for the receiver. */
  readonly source?: Readable
  readonly start: (output: Output) => void
}

/** The connection itself, in another protocol from here on. Only for requests that ask for it. */
export interface Upgrade {
  readonly form: 'upgrade'
  /** As in a stream. */
  readonly source?: Readable
  readonly start: (connection: Duplex) => void
  /** Called instead of `start` if the client can no longer get the connection. */
  readonly giveUp: () => void
}

export interface Output {
  /** Whether the receiver has disconnected. */
  readonly isGone: boolean
  /** False when the receiver is behind: stop until `drained` resolves. */
  write(chunk: Buffer): boolean
  drained(): Promise<void>
  end(): void
  /** Drops the receiver without a clean end. */
  destroy(): void
}

/** The last value of a header that must not repeat. */
export function headerOf(request: Request, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : value?.at(-1)
}
