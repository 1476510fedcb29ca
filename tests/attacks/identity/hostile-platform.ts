import { mkdtemp, rm } from 'node:fs/promises'
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { controlPath, linkProtocol } from '../../../src/api/link.ts'
import { ensureCertificates } from '../../../src/base/certificates/ensure.ts'
import { systemClock } from '../../../src/base/clock.ts'

export interface HostilePlatform {
  readonly url: string
  readonly authority: string
  /** Sends a request over the latest link, with these headers alone, and resolves to the status of the answer. */
  ask(headers: OutgoingHttpHeaders): Promise<number>
  stop(): Promise<void>
}

const group = 'management.platform.internal'

/** Accepts every tenant, and sends an arbitrary text on the control stream. */
export async function startHostilePlatform(
  text = '',
  status: object = { project: 'default', name: 'dev' },
): Promise<HostilePlatform> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-hostile-'))
  const certificates = await ensureCertificates({ directory, name: 'hostile', names: [], clock: systemClock })
  const open = new Set<Duplex>()
  let link: ClientHttp2Session | undefined
  const server = createServer({ key: certificates.key, cert: certificates.certificate }, (request, response) => {
    const body = request.url === '/apis' ? { groups: [{ name: group }] } : { status }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.on('upgrade', (_, socket) => {
    open.add(socket.on('error', () => {}))
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n\r\n`, () => {
      const session = connect('http://link', { createConnection: () => socket })
      session.on('error', () => {})
      link = session
      const control = session.request({ ':method': 'POST', ':path': controlPath }, { endStream: false })
      control.on('error', () => {}).write(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    authority: certificates.authority,
    ask: (headers) => statusOf(link, headers),
    stop: async () => {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function statusOf(link: ClientHttp2Session | undefined, headers: OutgoingHttpHeaders): Promise<number> {
  if (link === undefined) throw new Error('no tenant is linked')
  const stream = link.request(headers)
  return new Promise((resolve, reject) => {
    stream.on('error', reject).once('response', (answer) => {
      resolve(Number(answer[':status']))
      stream.close()
    })
    stream.end()
  })
}
