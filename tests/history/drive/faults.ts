import type { FaultyTcp, Weather } from '../../support/network/faulty-tcp.ts'
import type { Etcd } from '../../support/stores/etcd.ts'
import type { Server } from './server.ts'

const startingMs = 240_000

/** A fault with a duration. */
export interface Fault {
  readonly name: string
  begin(): Promise<void>
  end(): Promise<void>
}

export function serverFaults(server: Server): readonly [Fault, ...Fault[]] {
  const { name } = server.endpoint
  const killed: Fault = {
    name: `${name} killed`,
    begin: () => server.kill(),
    end: () => server.start(startingMs),
  }
  const paused: Fault = {
    name: `${name} paused`,
    begin: async () => server.pause(),
    end: async () => server.resume(),
  }
  return [killed, paused]
}

/** Simulates a full disk: data files are longer than this. */
const roomBytes = 64 * 1024

/**
 * For a server that writes files itself. If it ends because a write failed halfway, it is started again, as by its
 * operator.
 */
export function roomFaults(server: Server): readonly [Fault, ...Fault[]] {
  const full: Fault = {
    name: `${server.endpoint.name} without room`,
    begin: async () => server.limitFiles(roomBytes),
    end: async () => server.limitFiles('unlimited'),
  }
  return [full]
}

export function pathFaults(name: string, path: FaultyTcp): readonly [Fault, ...Fault[]] {
  const dropped: Fault = { name: `${name} dropped`, begin: async () => path.drop(), end: async () => {} }
  return [dropped, ...weathers.map((weather) => weatherFault(name, path, weather))]
}

const weathers: readonly Weather[] = [
  { kind: 'cut' },
  { kind: 'stalled' },
  { kind: 'half-open' },
  { kind: 'slow', delayMs: 20 },
]

function weatherFault(name: string, path: FaultyTcp, weather: Weather): Fault {
  return {
    name: `${name} ${weather.kind}`,
    begin: () => path.set(weather),
    end: () => path.set({ kind: 'fine' }),
  }
}

export function storeFaults(etcd: Etcd): readonly [Fault, ...Fault[]] {
  return [
    { name: 'etcd killed', begin: () => etcd.stop(), end: () => etcd.start() },
    { name: 'etcd paused', begin: async () => etcd.freeze(), end: async () => etcd.thaw() },
    { name: 'etcd compacted', begin: () => forgetHistory(etcd), end: async () => {} },
  ]
}

/** When the server is back, the history that it missed is no longer available. */
export function missedHistory(name: string, path: FaultyTcp, etcd: Etcd): Fault {
  return {
    name: `${name} cut until etcd was compacted`,
    begin: () => path.set({ kind: 'cut' }),
    end: async () => {
      // Another fault may make etcd unreachable.
      await forgetHistory(etcd).catch(() => {})
      await path.set({ kind: 'fine' })
    },
  }
}

/** Compacts everything: watches that are behind, and reads of the past, must be refused. */
async function forgetHistory({ endpoint }: Etcd): Promise<void> {
  const { header } = await askEtcd(`${endpoint}/v3/kv/range`, { key: btoa('any') })
  await askEtcd(`${endpoint}/v3/kv/compaction`, { revision: header?.revision ?? '0' })
}

async function askEtcd(url: string, body: unknown): Promise<EtcdAnswer> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(5_000) })
  return JSON.parse(await answer.text())
}

interface EtcdAnswer {
  readonly header?: { readonly revision?: string }
}
