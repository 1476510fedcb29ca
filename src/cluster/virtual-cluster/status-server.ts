import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TenantStatus } from './status-routes.ts'

/** The same as on the embedded control plane, for clients on this machine. */
export async function startStatusServer(
  port: number,
  status: TenantStatus,
): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response, status).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${address.port}`, stop: () => void server.close().closeAllConnections() }
}

async function answer(url: string, response: ServerResponse, status: TenantStatus): Promise<void> {
  switch (url.split('?', 1)[0]) {
    case '/debug/sync':
      response.setHeader('Content-Type', 'application/json')
      response.end(`${JSON.stringify(status.debug())}\n`)
      return
    case '/metrics':
      response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
      response.end(await status.metrics())
      return
    case '/livez':
    case '/healthz':
      response.end('ok')
      return
    case '/readyz':
      response.statusCode = status.isReady() ? 200 : 503
      response.end(status.isReady() ? 'ok' : 'not in step yet')
      return
    default:
      response.statusCode = 404
      response.end('404 page not found\n')
  }
}
