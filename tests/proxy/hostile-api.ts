import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createServer } from 'node:tls'
import { ensureCertificates } from '../../src/base/certificates/ensure.ts'
import { systemClock } from '../../src/base/clock.ts'

export interface HostileApi {
  readonly url: string
  readonly authority: string
  /** The head of every answer from now on, without the last empty line. */
  say(head: string): void
  stop(): Promise<void>
}

/** Answers every request with the same arbitrary bytes. */
export async function startHostileApi(): Promise<HostileApi> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-hostile-'))
  const { key, certificate, authority } = await ensureCertificates({
    directory,
    name: 'hostile',
    names: [],
    clock: systemClock,
  })
  const open = new Set<Duplex>()
  let head = ''
  const server = createServer({ key, cert: certificate }, (socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.on('data', () => socket.end(`${head}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    authority,
    say: (next) => {
      head = next
    },
    stop: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}
