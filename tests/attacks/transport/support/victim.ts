import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiClient } from '../../../reliability/support/api-client.ts'
import { type ServerProcess, startServerProcess } from '../../../reliability/support/server-process.ts'
import { type RawClient, tlsClient } from '../../../server/raw-client.ts'
import { startEtcd } from '../../../support/stores/etcd.ts'
import type { stores } from '../../support/stores.ts'

export const configMaps = '/api/v1/namespaces/default/configmaps'

/** The real program in a separate process, so that ending it does not end the tests. */
export interface Victim {
  readonly server: ServerProcess
  readonly client: ApiClient
  /** A connection that speaks HTTP/1.1 byte by byte. It ends with the victim at the latest. */
  connect(protocol?: string): Promise<RawClient>
  /** Names of the ConfigMaps with this prefix: they show how often a request was carried out. */
  names(prefix: string): Promise<readonly string[]>
  /** Throws if the process has ended, or does not answer; by default, asked as its administrator. */
  mustBeAlive(path?: '/version' | '/livez'): Promise<void>
  residentMegabytes(): number
  stop(): Promise<void>
}

export async function startVictim(store: (typeof stores)[number] = 'embedded'): Promise<Victim> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-victim-'))
  const etcd = store === 'etcd' ? await startEtcd() : undefined
  const address = etcd === undefined ? `file:${join(directory, 'store')}` : `etcd:${etcd.endpoint}`
  const server = await startServerProcess({ store: address, directory: join(directory, 'data') })
  const client = new ApiClient(server)
  const connections: RawClient[] = []
  let ending: unknown
  void server.ended.then((exit) => {
    ending = exit
  })
  return {
    server,
    client,
    connect: async (protocol = 'http/1.1') => {
      const connection = await tlsClient(server.port, protocol)
      connections.push(connection)
      return connection
    },
    names: async (prefix) => {
      const { items = [] } = await client.must('GET', configMaps)
      return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.startsWith(prefix))
    },
    mustBeAlive: async (path = '/version') => {
      if (ending !== undefined) throw new Error(`the server has ended: ${JSON.stringify(ending)}`)
      const { statusCode, text } = await client.text(path)
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    },
    residentMegabytes: () => residentMegabytes(server.pid),
    stop: async () => {
      for (const connection of connections) connection.destroy()
      await client.close()
      await server.kill()
      await etcd?.remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
