import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { addressOf } from './address.ts'
import { presentedCertificate } from './certificate.ts'
import { ConnectionError, UntrustedCertificate } from './connection-error.ts'
import { connectionFailure } from './connection-failure.ts'
import { distrustText } from './distrust-text.ts'
import { openTunnel } from './proxy-tunnel.ts'
import { systemRoots } from './system-roots.ts'
import { distrustOf, type Trust } from './trust.ts'

/** The identity of the server is not verified. Used only if a kubeconfig explicitly asks for it. */
export interface Unverified {
  readonly mode: 'unverified'
}

export interface ClientCertificate {
  /** PEM. */
  readonly certificate: string
  readonly key: string
}

export interface ServerEndpoint {
  /** Without credentials, query or fragment. */
  readonly url: URL
  readonly trust: Trust | Unverified
  readonly env: Readonly<Record<string, string | undefined>>
  readonly connectTimeoutMs: number
  /** The name in the server's certificate, if it differs from that in the URL. */
  readonly serverName?: string
  readonly clientCertificate?: ClientCertificate | undefined
  readonly proxy?: URL
  /** Resolves the host. Absent: the system does. */
  readonly lookup?: LookupFunction
  /** The protocol of the connection; defaults to HTTP/1.1. */
  readonly protocol?: 'h2'
}

/** Opens a connection and verifies the identity of the server. Nothing else has been sent on it. */
export async function openConnection(endpoint: ServerEndpoint): Promise<Socket> {
  const tunnel = endpoint.proxy && (await openTunnel(endpoint.url, endpoint.proxy, endpoint.connectTimeoutMs))
  if (endpoint.url.protocol === 'https:') return openSecure(endpoint, tunnel)
  return tunnel ?? openPlain(endpoint)
}

function openPlain(endpoint: ServerEndpoint): Promise<Socket> {
  const { url, lookup } = endpoint
  const socket = connectTcp({ ...addressOf(url), ...(lookup && { lookup }) })
  return whenReady(socket, 'connect', endpoint, () => undefined)
}

function openSecure(endpoint: ServerEndpoint, tunnel: Socket | undefined): Promise<Socket> {
  const { url, serverName, clientCertificate, lookup } = endpoint
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...addressOf(url),
      ...(tunnel && { socket: tunnel }),
      ...(lookup && { lookup }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
      ALPNProtocols: [endpoint.protocol ?? 'http/1.1'],
      ...authorities(endpoint),
      // The handshake may succeed with a stranger, so that the error can describe it; the check follows below.
      rejectUnauthorized: false,
    })
    whenReady(socket, 'secureConnect', endpoint, () => refusalOf(endpoint, socket)).then(resolve, reject)
  })
}

function whenReady(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { url, connectTimeoutMs }: ServerEndpoint,
  refusal: () => ConnectionError | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const give = (error: ConnectionError) => {
      socket.destroy()
      reject(error)
    }
    // The socket's own timer restarts with every byte of a handshake that never ends.
    const timer = setTimeout(() => {
      give(connectionFailure(url.origin, `no answer within ${connectTimeoutMs / 1000} s`, { nothingSent: true }))
    }, connectTimeoutMs)
    socket.on('close', () => clearTimeout(timer))
    socket.on('error', (error) => give(connectionFailure(url.origin, error, { nothingSent: true })))
    socket.once(event, () => {
      clearTimeout(timer)
      const refused = refusal()
      if (refused !== undefined) give(refused)
      else resolve(socket.setNoDelay(true).setKeepAlive(true, 15_000))
    })
  })
}

function authorities({ trust, env, clientCertificate }: ServerEndpoint) {
  switch (trust.mode) {
    case 'system':
      return clientCertificate === undefined ? { secureContext: systemContext(env) } : { ca: [...systemRoots(env)] }
    case 'authority':
      return { ca: [trust.authority], allowPartialTrustChain: true }
    case 'fingerprint':
    case 'unverified':
      return {}
  }
}

const systemContexts = new WeakMap<ServerEndpoint['env'], SecureContext>()

/** Read once: there are more than a hundred authorities, and reading them takes as long as a handshake. */
function systemContext(env: ServerEndpoint['env']): SecureContext {
  const context = systemContexts.get(env) ?? createSecureContext({ ca: [...systemRoots(env)] })
  systemContexts.set(env, context)
  return context
}

function refusalOf({ url, trust }: ServerEndpoint, socket: TLSSocket): ConnectionError | undefined {
  if (trust.mode === 'unverified') return undefined
  const certificate = presentedCertificate(socket.getPeerCertificate())
  if (certificate === undefined) return new ConnectionError(`${url.origin} shows no certificate`, { nothingSent: true })
  const problem = socket.authorized ? undefined : String(socket.authorizationError)
  const distrust = distrustOf(trust, { certificate, problem })
  if (distrust === undefined) return undefined
  return new UntrustedCertificate(distrustText(url.origin, certificate, distrust), certificate, distrust)
}
