import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { TrustedProxies } from './proxies/trusted-proxies.ts'

/** One HTTP request, whatever protocol it came by. A test makes one from plain data. */
export interface Request {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** Names in lower case; values that came several times are joined by a comma. */
  readonly headers: IncomingHttpHeaders
  /** Name, value, name, value … as sent, for headers that may repeat. */
  readonly rawHeaders: readonly string[]
  readonly httpVersion: '1' | '2'
  readonly peer: Peer
  /** Where it came from: the other end of the connection or, if that is a trusted proxy, who asked that. */
  readonly clientAddress: string
  /** Aborts when the client goes away. Made when first asked for. */
  readonly signal: AbortSignal
  /** Whether it has aborted. Makes none. */
  readonly isGone: boolean
  /** The protocol that the client wants to go on with on this connection, such as `websocket`. */
  readonly upgrade?: string
  /** Reads the body, once. Refuses what is longer than the limit or does not arrive in time. */
  readBody(limit: BodyLimit): Promise<Buffer>
  /** The body as a stream, once and instead of reading it, in order to pass it on. Undefined: there is none. */
  openBody(options?: OpenBodyOptions): Readable | undefined
}

/** Who is at the other end. One object for each connection: requests with the same peer came by the same connection. */
export interface Peer {
  readonly remoteAddress: string
  /** `host:port` of the socket that took the connection. */
  readonly localAddress: string
  /** Subject of a client certificate that the configured authority signed. */
  readonly certificateSubject: CertificateSubject | undefined
  /** Why the certificate that the client has shown proves nothing. Absent: it has shown none, or one that does. */
  readonly refusedCertificate?: string
  /** It keeps a record of the requests that it passes on, and wants to know what belongs there. */
  readonly takesAnnotations?: true
  /** It is one of these, and passes on requests of others. Absent: what it says of where a request came from does not count. */
  readonly proxies?: TrustedProxies
}

export interface OpenBodyOptions {
  /** It is a conversation, in which the sender may be silent for as long as it likes. Other bodies have to come in time. */
  readonly isEndless?: boolean
}

export interface BodyLimit {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Told of every piece that arrives; false: no more is wanted, and what has come is let go. */
  readonly goOn?: (bytes: number) => boolean
}

export interface CertificateSubject {
  readonly commonName: string
  readonly organizations: readonly string[]
  /** The certificate counts until then, also on a connection that lasts longer. Absent: as long as the connection. */
  readonly endsAtMs?: number
  /** SHA-256 of the certificate, in hexadecimal digits. Absent: there is none. */
  readonly fingerprint?: string
}

/** `headers` is a flat list of names and values; Audit-Id, Warning and Content-Length are added when it is sent. */
export interface Response {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: ResponseBody
}

export type ResponseBody = Buffer | Pieces | Stream | Upgrade

/**
 * A body too large for one buffer. Pieces are made as they are sent, so that memory stays flat: one is only valid until
 * the next is asked for, and that is after the receiver has taken it.
 */
export interface Pieces {
  readonly form: 'pieces'
  /** Undefined: not known before they are made. */
  readonly byteLength: number | undefined
  readonly pieces: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** A body that goes on until one side ends it. `start` is called once the head has been sent. */
export interface Stream {
  readonly form: 'stream'
  /** What is passed on, if it comes from another server: what has arrived of it waits there for the receiver. */
  readonly source?: Readable
  readonly start: (output: Output) => void
}

/** The connection itself, in another protocol from here on. Only for requests that ask for it. */
export interface Upgrade {
  readonly form: 'upgrade'
  /** As with a stream. */
  readonly source?: Readable
  readonly start: (connection: Duplex) => void
  /** Called instead of `start` if the client cannot be given the connection any more. */
  readonly giveUp: () => void
}

export interface Output {
  /** The receiver is gone. */
  readonly isGone: boolean
  /** False when the receiver is behind: stop until `drained` resolves. */
  write(chunk: Buffer): boolean
  drained(): Promise<void>
  end(): void
  /** Gives the receiver up without a clean end. */
  destroy(): void
}

/** The last value of a header that must not repeat. */
export function headerOf(request: Request, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : value?.at(-1)
}
