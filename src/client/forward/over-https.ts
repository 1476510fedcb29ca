import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { pathPrefix } from '../connection/address.ts'
import { limitAnnouncements } from '../connection/announcements.ts'
import { openConnection, type ServerEndpoint } from '../connection/connect.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { OpeningAgent } from '../connection/opening-agent.ts'
import type { ClusterAccess } from '../kubeconfig/contract.ts'
import { carry } from './carry.ts'
import type { ForwardAnswer, Forwarder, ForwardRequest } from './contract.ts'
import { withoutRepeats } from './repeats.ts'

const connectTimeoutMs = 10_000

export interface ClosableForwarder extends Forwarder {
  close(): void
}

/** An API and the credentials for it. */
export interface ForwardedServer extends Omit<ClusterAccess, 'namespace'>, Pick<ServerEndpoint, 'lookup'> {}

/** Sends requests to a Kubernetes API as the user of a kubeconfig, whatever their headers say about the sender. */
export function createHttpsForwarder(
  access: ForwardedServer,
  env: Readonly<Record<string, string | undefined>>,
): ClosableForwarder {
  const { credentials, ...server } = access
  const open = async () => {
    const clientCertificate = await credentials.clientCertificate()
    return openConnection({ ...server, clientCertificate, env, connectTimeoutMs })
  }
  const agent = new OpeningAgent(open, { maxFreeSockets: 64 })
  const prefix = pathPrefix(access.url)
  return {
    forward: async (request) => {
      const own = await credentials.headers()
      return forward({ ...request, url: prefix + request.url, headers: withOwn(request.headers, own) }, agent, access)
    },
    close: () => agent.destroy(),
  }
}

function withOwn(
  headers: readonly string[],
  own: Readonly<Record<string, string | readonly string[]>>,
): readonly string[] {
  const added = Object.entries(own).flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each]))
  return [...headers, ...added]
}

function forward(request: ForwardRequest, agent: Agent, { url }: ForwardedServer): Promise<ForwardAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      method: request.method,
      path: request.url,
      agent,
      headers: ['host', url.host, ...request.headers, ...connectionHeaders(request)],
      signal: request.signal,
    })
    limitAnnouncements(outgoing, url.origin)
    outgoing.once('response', (incoming) => resolve(answerOf(incoming)))
    outgoing.once('upgrade', (incoming, socket, head) => {
      if (head.length > 0) socket.unshift(head)
      resolve(upgradedOf(incoming, socket))
    })
    outgoing.on('error', (error) =>
      reject(error instanceof ConnectionError ? error : connectionFailure(url.origin, error)),
    )
    sendBody(outgoing, request.body)
  })
}

/**
 * Node would end an upgrade request with an empty chunk, which the other side takes for the first bytes of the
 * protocol.
 */
function connectionHeaders({ method, upgrade, body, headers }: ForwardRequest): readonly string[] {
  if (upgrade !== undefined) {
    const length = method === 'GET' ? [] : ['content-length', '0']
    return ['connection', 'Upgrade', 'upgrade', upgrade, ...length]
  }
  if (body === undefined || headers.includes('content-length')) return []
  return ['transfer-encoding', 'chunked']
}

function sendBody(outgoing: ClientRequest, body: ForwardRequest['body']): void {
  if (body === undefined || Buffer.isBuffer(body)) {
    outgoing.end(body)
    return
  }
  body.once('error', () => outgoing.destroy())
  body.once('close', () => {
    if (!body.readableEnded) outgoing.destroy()
  })
  carry(body, outgoing)
}

function answerOf(incoming: IncomingMessage): ForwardAnswer {
  incoming.on('error', () => {})
  return { form: 'answer', status: incoming.statusCode ?? 502, headers: lowerNames(incoming), body: incoming }
}

function upgradedOf(incoming: IncomingMessage, connection: Duplex): ForwardAnswer {
  connection.on('error', () => connection.destroy())
  return { form: 'upgraded', protocol: incoming.headers.upgrade ?? '', headers: lowerNames(incoming), connection }
}

function lowerNames({ rawHeaders }: IncomingMessage): readonly string[] {
  return withoutRepeats(rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text)))
}
