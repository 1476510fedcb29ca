import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls'
import { asTexts } from '../../base/json/lenient.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { CertificateSubject, Peer } from '../http.ts'
import type { TrustedProxies } from '../proxies/trusted-proxies.ts'

/** Read once per connection, including resumed ones: the identity of the client belongs to the connection. */
export function peerOf(socket: TLSSocket, proxies?: TrustedProxies): Peer {
  const { localAddress: host = '', remoteAddress = '' } = socket
  return {
    remoteAddress,
    ...(proxies?.has(remoteAddress) ? { proxies } : {}),
    localAddress: `${host.includes(':') ? `[${host}]` : host}:${socket.localPort ?? 0}`,
    ...shownCertificate(socket),
  }
}

/** The network of a client that connects directly. Undefined for a proxy, whose clients are in other networks. */
export function directNetworkOf({ remoteAddress, proxies }: Peer): string | undefined {
  return proxies === undefined ? networkOf(remoteAddress) : undefined
}

/** Only a client certificate signed by the authority identifies a client. */
function shownCertificate(socket: TLSSocket): Pick<Peer, 'certificateSubject' | 'refusedCertificate'> {
  const certificate = certificateOf(socket)
  if (certificate === undefined) return { certificateSubject: undefined }
  if (socket.authorized) return { certificateSubject: subjectOf(certificate) }
  const reason = socket.authorizationError
  return { certificateSubject: undefined, refusedCertificate: String(reason ?? 'it was not verified') }
}

function certificateOf(socket: TLSSocket): PeerCertificate | undefined {
  const certificate: PeerCertificate | DetailedPeerCertificate | null = socket.getPeerCertificate()
  return certificate === null || Object.keys(certificate).length === 0 ? undefined : certificate
}

/** The last common name counts, as in Kubernetes. Without one, the client is a stranger. */
function subjectOf({ subject, valid_to: end, fingerprint256 }: PeerCertificate): CertificateSubject | undefined {
  const commonName = texts(subject?.CN).at(-1) ?? ''
  if (commonName === '') return undefined
  return {
    commonName,
    organizations: texts(subject.O),
    endsAtMs: Date.parse(end),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}

/** Node returns a string for one value and a list for several, whatever its types say. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return asTexts(value)
}
