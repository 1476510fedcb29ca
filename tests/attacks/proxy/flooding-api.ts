import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { ensureCertificates } from '../../../src/base/certificates/ensure.ts'
import { systemClock } from '../../../src/base/clock.ts'

export interface FloodingApi {
  readonly url: string
  readonly authority: string
  readonly connections: () => number
  stop(): Promise<void>
}

/** Answers every request with a head, and then with the same bytes for as long as the client reads. */
export async function startFloodingApi(head: string, flood: string): Promise<FloodingApi> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-flooding-'))
  const { key, certificate, authority } = await ensureCertificates({
    directory,
    name: 'flooding',
    names: [],
    clock: systemClock,
  })
  const chunk = Buffer.from(flood.repeat(Math.floor(65_536 / flood.length)))
  const open = new Set<TLSSocket>()
  const server = createServer({ key, cert: certificate }, (socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.once('data', (asked: Buffer) => {
      if (asked.toString().includes('bindings'))
        return socket.end('HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}')
      socket.write(head)
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      }
      socket.on('drain', more)
      more()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    authority,
    connections: () => open.size,
    stop: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}
