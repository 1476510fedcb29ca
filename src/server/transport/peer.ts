import type { TLSSocket } from 'node:tls'
import type { CertificateSubject } from '../http.ts'

/** What is known of a connection, looked up once and not per request. */
export interface Peer {
  readonly remoteAddress: string
  readonly localAddress: string
  readonly certificateSubject: CertificateSubject | undefined
}

const known = new WeakMap<object, Peer>()

/** `connection` is what outlives a request: the socket, or the HTTP/2 session. */
export function peerOf(connection: object, socket: TLSSocket): Peer {
  const peer = known.get(connection)
  if (peer !== undefined) return peer
  const found = readPeer(socket)
  known.set(connection, found)
  return found
}

function readPeer(socket: TLSSocket): Peer {
  const host = socket.localAddress ?? ''
  return {
    remoteAddress: socket.remoteAddress ?? '',
    localAddress: `${host.includes(':') ? `[${host}]` : host}:${socket.localPort ?? 0}`,
    certificateSubject: socket.authorized ? subjectOf(socket) : undefined,
  }
}

function subjectOf(socket: TLSSocket): CertificateSubject | undefined {
  const { subject } = socket.getPeerCertificate()
  if (subject === undefined) return undefined
  const [commonName] = texts(subject.CN)
  return commonName === undefined ? undefined : { commonName, organizations: texts(subject.O) }
}

/** Node gives a text for one value and a list for several, whatever its types say. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
