import { createPrivateKey } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { issueAuthority, issueServer } from '../../src/base/certificates/issue.ts'
import { systemRandom } from '../../src/base/random.ts'

/** A server of a user behind APIServices, with its requests and answers. */
export interface AggregationBackend {
  readonly port: number
  readonly caBundle: string
  readonly asked: readonly IncomingMessage[]
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Its OpenAPI document, and how often it was requested. */
  v2Document: string
  documentAsked: number
  stop(): void
}

const resources = [
  {
    name: 'foos',
    singularName: 'foo',
    namespaced: true,
    kind: 'Foo',
    verbs: ['get', 'list', 'watch'],
    shortNames: ['fo'],
  },
  { name: 'foos/status', singularName: '', namespaced: true, kind: 'Foo', verbs: ['get'] },
]

/** Accepts requests only from the API server, which has a certificate of its front proxy. */
export async function startAggregationBackend(frontProxyAuthority: string): Promise<AggregationBackend> {
  const validity = { notBeforeMs: Date.now() - 86_400_000, notAfterMs: Date.now() + 86_400_000 }
  const authority = await issueAuthority('backend', validity, systemRandom)
  const signer = { name: 'backend', key: createPrivateKey(authority.key) }
  const shown = await issueServer(['backend.default.svc'], signer, validity, systemRandom)
  const asked: IncomingMessage[] = []
  const server = createServer({ ...shown, ca: frontProxyAuthority, requestCert: true }, (request, response) => {
    const discovery = /^\/apis\/[^/]+\/v[^/]+$/.test(request.url ?? '')
    if (discovery && request.headers['x-remote-user'] === 'system:kube-aggregator') {
      response.end(JSON.stringify({ kind: 'APIResourceList', resources }))
      return
    }
    response.setHeader('content-type', 'application/json')
    if (request.url === '/openapi/v2' && request.headers['x-remote-user'] === 'system:kube-aggregator') {
      backend.documentAsked += 1
      response.end(backend.v2Document)
      return
    }
    asked.push(request)
    backend.answer(request, response)
  })
  server.on('upgrade', (request, socket) => {
    asked.push(request)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    socket.on('data', (data: Buffer) => socket.write(`echo ${data}`))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const backend: AggregationBackend = {
    port,
    caBundle: Buffer.from(authority.cert).toString('base64'),
    asked,
    answer: (_, response) => response.end('{}'),
    v2Document: '',
    documentAsked: 0,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return backend
}
