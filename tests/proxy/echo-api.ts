import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { ensureCertificates } from '../../src/base/certificates/ensure.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createHttpsForwarder } from '../../src/client/forward/over-https.ts'
import type { VirtualApi } from '../../src/tenant/link/contract.ts'
import { forwardedApi } from '../../src/tenant/link/forwarded-api.ts'

export interface Received {
  readonly method: string
  readonly url: string
  /** Name, value, name, value …, as received. */
  readonly headers: readonly string[]
}

export interface EchoApi {
  readonly url: string
  readonly authority: string
  readonly received: readonly Received[]
  readonly openConnections: () => number
  readonly virtualApi: VirtualApi
  stop(): Promise<void>
}

export const echoToken = 'token-of-the-virtual-admin'

/**
 * Plays a kube-apiserver: returns the request that it received, and echoes data on upgraded connections, with the first
 * bytes of each chunk doubled so that the echo cannot be mistaken for the sent data.
 */
export async function startEchoApi(): Promise<EchoApi> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-echo-'))
  const { key, certificate, authority } = await ensureCertificates({
    directory,
    name: 'echo',
    names: [],
    clock: systemClock,
  })
  const received: Received[] = []
  const open = new Set<Duplex>()
  const server = createServer({ key, cert: certificate }, (request, response) => {
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.rawHeaders })
    if (request.url?.startsWith('/refused')) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
      return
    }
    if (request.url?.startsWith('/endless')) {
      open.add(request.socket)
      response.on('close', () => open.delete(request.socket))
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
      return
    }
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => {
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'text/html', 'set-cookie': 'a=b' })
      response.end(JSON.stringify({ url: request.url, headers: request.rawHeaders, bytes }))
    })
  })
  server.on('upgrade', (request, socket, head) => {
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.rawHeaders })
    if (request.url?.includes('refused')) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nno pod')
      return
    }
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    const protocol = request.headers.upgrade ?? ''
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`)
    socket.write('Sec-WebSocket-Accept: accepted\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\nhello')
    if (head.length > 0) socket.write(head)
    socket.on('data', (chunk: Buffer) => socket.write(Buffer.concat([chunk.subarray(0, 1), chunk])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const forwarder = createHttpsForwarder(
    {
      url: new URL(url),
      trust: { mode: 'authority', authority },
      credentials: {
        headers: async () => ({ authorization: `Bearer ${echoToken}` }),
        clientCertificate: async () => undefined,
        refused: () => false,
      },
    },
    {},
  )
  return {
    url,
    authority,
    received,
    openConnections: () => open.size,
    virtualApi: forwardedApi(forwarder),
    stop: async () => {
      forwarder.close()
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** All values of a header. */
export function valuesOf({ headers }: Pick<Received, 'headers'>, name: string): readonly string[] {
  return headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name)
}
