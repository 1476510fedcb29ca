import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { makeCertificates } from '../support/certificates.ts'

export interface Heard {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  /** The name in the client's certificate. */
  readonly certificate: string | undefined
  /** The client's port, which identifies the connection. */
  readonly port: number
}

export type Respond = (response: ServerResponse, heard: Heard, number: number) => void

export interface ScriptedServer {
  readonly port: number
  readonly authority: string
  /** A certificate that is valid for clients too, and its key, in PEM. */
  readonly certificate: string
  readonly key: string
  readonly heard: readonly Heard[]
  /** The fields of a kubeconfig, with replacements. */
  kubeconfig(user?: object, cluster?: object): string
  stop(): Promise<void>
}

let made: Promise<readonly string[]> | undefined

/** The authority, a certificate and its key, the same for all servers of a thread. */
function certificates(): Promise<readonly string[]> {
  made ??= mkdtemp(join(tmpdir(), 'tenant-scripted-'))
    .then((directory) => makeCertificates(directory, 'scripted'))
    .then(({ caFile, certFile, keyFile }) => [caFile, certFile, keyFile].map((file) => readFileSync(file, 'utf8')))
  return made
}

/** An API server that gives chosen answers. */
export async function startScriptedServer(respond: Respond): Promise<ScriptedServer> {
  const [authority, certificate, key] = await certificates()
  const heard: Heard[] = []
  const tls = { cert: certificate, key, ca: authority, requestCert: true, rejectUnauthorized: false }
  const server = createServer(tls, (request, response) => {
    request.resume()
    const one = hearing(request)
    heard.push(one)
    respond(response, one, heard.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    authority: authority ?? '',
    certificate: certificate ?? '',
    key: key ?? '',
    heard,
    kubeconfig: (user = {}, cluster = {}) =>
      JSON.stringify({
        clusters: [
          {
            name: 'c',
            cluster: {
              server: `https://127.0.0.1:${port}`,
              'certificate-authority-data': Buffer.from(authority ?? '').toString('base64'),
              ...cluster,
            },
          },
        ],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function hearing({ method = '', url = '', headers, socket }: IncomingMessage): Heard {
  const { subject } = (socket as TLSSocket).getPeerCertificate()
  return {
    method,
    path: url,
    authorization: headers.authorization,
    certificate: subject?.CN === undefined ? undefined : String(subject.CN),
    port: socket.remotePort ?? 0,
  }
}

export function answer(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function refuse(response: ServerResponse, code: number, headers: Record<string, string> = {}) {
  answer(
    response,
    code,
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `refused ${code}`, code },
    headers,
  )
}

/** Whether a client asks only how far the server is. */
export function isAboutVersion(path: string): boolean {
  return new URL(path, 'https://x').searchParams.get('limit') === '1'
}
