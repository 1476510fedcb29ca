import { connect, type TLSSocket } from 'node:tls'
import { presentedCertificate } from './certificate.ts'
import { ConnectionError, UntrustedCertificate } from './connection-error.ts'
import { connectionFailure } from './connection-failure.ts'
import { distrustText } from './distrust-text.ts'
import { systemRoots } from './system-roots.ts'
import { distrustOf, type Trust } from './trust.ts'

export interface Endpoint {
  /** https, without credentials, query or fragment. */
  readonly url: URL
  readonly trust: Trust
  readonly env: Readonly<Record<string, string | undefined>>
  readonly connectTimeoutMs: number
}

/** A connection to a server that has been found to be the one that is meant. Nothing has been sent on it. */
export function openConnection(endpoint: Endpoint): Promise<TLSSocket> {
  const { url, connectTimeoutMs } = endpoint
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? 443 : Number(url.port),
      ALPNProtocols: ['http/1.1'],
      ...authorities(endpoint),
      // The handshake may end well with a stranger, so that it can be told who it was; the check is right below.
      rejectUnauthorized: false,
    })
    const give = (error: ConnectionError) => {
      socket.destroy()
      reject(error)
    }
    socket.setTimeout(connectTimeoutMs, () => {
      give(new ConnectionError(`cannot reach ${url.origin}: no answer within ${connectTimeoutMs / 1000} s`))
    })
    socket.on('error', (error) => give(connectionFailure(url.origin, error)))
    socket.once('secureConnect', () => {
      socket.setTimeout(0)
      const refusal = refusalOf(endpoint, socket)
      if (refusal !== undefined) give(refusal)
      else resolve(socket)
    })
  })
}

function authorities({ trust, env }: Endpoint) {
  switch (trust.mode) {
    case 'system':
      return { ca: [...systemRoots(env)] }
    case 'authority':
      return { ca: [trust.authority], allowPartialTrustChain: true }
    case 'fingerprint':
      return {}
  }
}

function refusalOf({ url, trust }: Endpoint, socket: TLSSocket): ConnectionError | undefined {
  const certificate = presentedCertificate(socket.getPeerCertificate())
  if (certificate === undefined) return new ConnectionError(`${url.origin} shows no certificate`)
  const problem = socket.authorized ? undefined : String(socket.authorizationError)
  const distrust = distrustOf(trust, { certificate, problem })
  if (distrust === undefined) return undefined
  return new UntrustedCertificate(distrustText(url.origin, certificate, distrust), certificate, distrust)
}
