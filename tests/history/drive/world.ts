import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultyTcp, startFaultyTcp } from '../../support/network/faulty-tcp.ts'
import { type Etcd, startEtcd } from '../../support/stores/etcd.ts'
import { type Fault, missedHistory, pathFaults, roomFaults, serverFaults, storeFaults } from './faults.ts'
import { Server } from './server.ts'
import type { Endpoint } from './transport.ts'

const patienceMs = 240_000

export type StoreName = 'embedded' | 'etcd'

/** Servers on one store, and their possible faults. Faults of one lane never overlap. */
export interface World {
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
  readonly lanes: readonly (readonly [Fault, ...Fault[]])[]
  /** Servers that crashed since the last call. */
  newCrashes(): readonly string[]
  /** Restores everything: all servers run and are reachable. */
  heal(): Promise<void>
  remove(): Promise<void>
}

/** Cleanup functions, called in reverse order. */
type Removals = (() => Promise<void>)[]

export async function startWorld(store: StoreName): Promise<World> {
  const removals: Removals = []
  const remove = async () => {
    for (const each of removals.splice(0).reverse()) await each()
  }
  try {
    const directory = await mkdtemp(join(tmpdir(), `tenant-history-${store}-`))
    removals.push(() => rm(directory, { recursive: true, force: true }))
    const parts = store === 'embedded' ? await embeddedWorld(directory, removals) : await etcdWorld(directory, removals)
    return { ...parts, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** One server, because no other process may use its store. */
async function embeddedWorld(directory: string, removals: Removals): Promise<Omit<World, 'remove'>> {
  const options = { name: 'server', store: `file:${join(directory, 'store')}`, directory: join(directory, 'keys') }
  const server = await Server.start(options)
  removals.push(() => server.remove())
  return {
    endpoints: [server.endpoint],
    newCrashes: () => server.crashes.splice(0),
    lanes: [serverFaults(server), roomFaults(server), pathFaults('clients', server.network)],
    heal: () => healServer(server),
  }
}

/** Two servers, each with a separate path to one etcd. */
async function etcdWorld(directory: string, removals: Removals): Promise<Omit<World, 'remove'>> {
  const etcd = await startEtcd()
  removals.push(() => etcd.remove())
  const start = async (name: string) => {
    const path = await startFaultyTcp(Number(new URL(etcd.endpoint).port))
    removals.push(() => path.remove())
    const store = `etcd:http://127.0.0.1:${path.port}`
    const server = await Server.start({ name, store, directory: join(directory, 'keys') })
    removals.push(() => server.remove())
    return { server, path }
  }
  // One after the other: the first one creates the keys that both use.
  const [first, second] = [await start('first'), await start('second')]
  return {
    endpoints: [first.server.endpoint, second.server.endpoint],
    newCrashes: () => [first, second].flatMap(({ server }) => server.crashes.splice(0)),
    lanes: [...[first, second].flatMap(({ server, path }) => etcdServerLanes(server, path, etcd)), storeFaults(etcd)],
    heal: () => healEtcdWorld(etcd, [first.path, second.path], [first.server, second.server]),
  }
}

function etcdServerLanes(server: Server, path: FaultyTcp, etcd: Etcd): World['lanes'] {
  const { name } = server.endpoint
  const toEtcd = `${name} to etcd`
  const [first, ...others] = pathFaults(toEtcd, path)
  return [
    serverFaults(server),
    pathFaults(`clients to ${name}`, server.network),
    [first, ...others, missedHistory(toEtcd, path, etcd)],
  ]
}

async function healEtcdWorld(etcd: Etcd, paths: readonly FaultyTcp[], servers: readonly Server[]): Promise<void> {
  etcd.thaw()
  for (const path of paths) await path.set({ kind: 'fine' })
  await Promise.all(servers.map(healServer))
}

async function healServer(server: Server): Promise<void> {
  server.resume()
  await server.network.set({ kind: 'fine' })
  await server.start(patienceMs)
}
