import { type Clock, systemClock } from '../../base/clock.ts'
import { type Random, systemRandom } from '../../base/random.ts'
import type { Store } from '../contract.ts'
import type { BufferLimits } from '../feed/live-buffer.ts'
import { Barrier } from './barrier.ts'
import { EtcdConnection } from './connection.ts'
import { EtcdMember } from './endpoint.ts'
import { type EtcdTlsFiles, parseEndpoint } from './endpoint-address.ts'
import { Keyspace } from './keyspace.ts'
import { EtcdStore } from './store.ts'
import { type EtcdCredentials, EtcdTokenSource } from './token.ts'

export interface EtcdStoreOptions {
  /** `https://host:port` or `http://…` of any members of one cluster. */
  readonly endpoints: readonly string[]
  /** The prefix of the store's keys, such as `/tenant-platform`. Stores with different prefixes can share an etcd. */
  readonly prefix: string
  readonly tls?: EtcdTlsFiles
  readonly credentials?: EtcdCredentials
  /** Timeout of one call, 5 s by default. Connecting may take the same time again. */
  readonly timeoutMs?: number
  /** How much a slow watcher may leave unread before it must catch up with a separate watch. */
  readonly watchBuffer?: Partial<BufferLimits>
  readonly random?: Random
  readonly clock?: Clock
}

const defaultTimeoutMs = 5_000
const defaultWatchBuffer: BufferLimits = { changes: 10_000, bytes: 32 * 1024 * 1024 }

/** Throws StoreUnavailable when etcd cannot be reached. */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<Store> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const keys = new Keyspace(options.prefix)
  const connection = connect(options, timeoutMs)
  const barrier = new Barrier(connection, keys)
  const store = new EtcdStore({
    context: { connection, keys, barrier, random: options.random ?? systemRandom },
    limits: { ...defaultWatchBuffer, ...options.watchBuffer },
    timeoutMs,
  })
  try {
    await store.currentRevision()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

function connect(options: EtcdStoreOptions, timeoutMs: number): EtcdConnection {
  if (options.endpoints.length === 0) throw new RangeError('at least one etcd endpoint is needed')
  const clock = options.clock ?? systemClock
  const addresses = options.endpoints.map((endpoint) => parseEndpoint(endpoint, options.tls))
  const endpoints = addresses.map(({ address, credentials }) => new EtcdMember(address, credentials, clock))
  return new EtcdConnection({ endpoints, tokens: new EtcdTokenSource(options.credentials), timeoutMs })
}
