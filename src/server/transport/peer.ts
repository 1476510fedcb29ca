import type { TLSSocket } from 'node:tls'
import type { CertificateSubject, Peer } from '../http.ts'

/** Read once for each connection. */
export function peerOf(socket: TLSSocket): Peer {
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
