import type { Etcd } from '../../support/etcd.ts'
import type { FaultyTcp, Weather } from '../../support/faulty-tcp.ts'
import type { Server } from './server.ts'

const startingMs = 60_000

/** Something that goes wrong for a while. */
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
  ]
}
