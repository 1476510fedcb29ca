import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { issueAuthority, issueServer, type KeyAndCertificate } from '../../../src/base/certificates/issue.ts'
import { systemRandom } from '../../../src/base/random.ts'

const day = 24 * 3_600_000

/** A platform that always gives the same answer, with chosen certificates. */
export interface TlsServer {
  readonly url: string
  readonly port: number
  /** The fingerprint of the current certificate. */
  readonly fingerprint: string
  /** PEM. */
  readonly authority: string
  /** Every credential that reached it. */
  readonly credentials: readonly (string | undefined)[]
  /** Uses another certificate from now on. */
  change(options: CertificateOptions): Promise<void>
  stop(): Promise<void>
}

export interface CertificateOptions {
  readonly names?: readonly string[]
  readonly fromDays?: number
  readonly toDays?: number
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

type Respond = (path: string) => Answer

export async function startTlsServer(
  options: CertificateOptions = {},
  respond: Respond = friendly,
): Promise<TlsServer> {
  const authority = await issueAuthority('Test Authority', validity({}), systemRandom)
  let shown = await issued(authority, options)
  const credentials: (string | undefined)[] = []
  const server = createServer(shown, (request, response) => {
    credentials.push(request.headers.authorization)
    const { status, headers = {}, body } = respond(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    authority: authority.cert,
    credentials,
    get fingerprint() {
      return `SHA256:${new X509Certificate(shown.cert).fingerprint256}`
    },
    change: async (changed) => {
      shown = await issued(authority, changed)
      server.setSecureContext(shown)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function issued(authority: KeyAndCertificate, options: CertificateOptions): Promise<KeyAndCertificate> {
  const issuer = { name: 'Test Authority', key: createPrivateKey(authority.key) }
  return issueServer(options.names ?? ['127.0.0.1', 'localhost'], issuer, validity(options), systemRandom)
}

function validity({ fromDays = -1, toDays = 30 }: CertificateOptions) {
  const nowMs = Date.now()
  return { notBeforeMs: nowMs + fromDays * day, notAfterMs: nowMs + toDays * day }
}

export function friendly(path: string): Answer {
  if (path.endsWith('/apis')) {
    return { status: 200, body: '{"kind":"APIGroupList","groups":[{"name":"apps"},{"name":"management.example.com"}]}' }
  }
  return { status: 201, body: '{"status":{"userInfo":{"username":"ada","groups":["system:authenticated"]}}}' }
}
