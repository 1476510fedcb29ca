import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { issueAuthority, issueServer } from '../../../src/base/certificates/issue.ts'
import { systemRandom } from '../../../src/base/random.ts'

export interface HookRequest {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The common name in the client's certificate. */
  readonly shownAs?: string
}

export interface HookResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookServer {
  readonly url: string
  readonly port: number
  /** PEM in base64, as configurations have it. */
  readonly caBundle: string
  readonly server: Server
  stop(): Promise<void>
}

const dayMs = 86_400_000

/**
 * A webhook server on loopback, with a certificate of its own authority. With `clientAuthority` (PEM) it accepts no
 * connection without a certificate of that authority.
 */
export async function startWebhookServer(
  answer: (request: HookRequest) => HookResponse | Promise<HookResponse>,
  names: readonly string[] = [],
  clientAuthority?: string,
): Promise<WebhookServer> {
  const validity = { notBeforeMs: Date.now() - dayMs, notAfterMs: Date.now() + dayMs }
  const authority = await issueAuthority('hooks', validity, systemRandom)
  const signer = { name: 'hooks', key: createPrivateKey(authority.key) }
  const hosts = ['127.0.0.1', 'localhost', ...names]
  const { key, cert } = await issueServer(hosts, signer, validity, systemRandom)
  const asksForCertificates = clientAuthority !== undefined && { ca: clientAuthority, requestCert: true }
  const server = createServer({ key, cert, ...asksForCertificates }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    const shownAs = subject && String(subject.CN)
    const asked = { method, path, headers, body: Buffer.concat(chunks).toString() }
    const given = await answer(shownAs === undefined ? asked : { ...asked, shownAs })
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers }).end(given.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    caBundle: Buffer.from(authority.cert).toString('base64'),
    server,
    stop: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
