import { systemClock } from '../../../src/base/clock.ts'
import type { Store } from '../../../src/storage/contract.ts'
import { openEtcdStore } from '../../../src/storage/etcd/open.ts'
import { startPlatform, type TestPlatform } from '../../platform/platform.ts'
import { type Etcd, startEtcd } from '../stores/etcd.ts'
import type { TestServerOptions } from './api-server.ts'

export interface Replica extends TestPlatform {
  readonly store: Store
}

export interface WayToEtcd {
  /** Absent: connects directly. */
  readonly endpoint?: string
  /** A store around the store of etcd. */
  readonly through?: (store: Store) => Store
}

export interface Replicas {
  readonly etcd: Etcd
  /** One more platform on the same store. */
  start(options?: TestServerOptions & WayToEtcd): Promise<Replica>
  remove(): Promise<void>
}

/** An etcd and the platforms that are started on it, all in this process. */
export async function startReplicas(): Promise<Replicas> {
  const etcd = await startEtcd()
  const started: Replica[] = []
  return {
    etcd,
    start: async ({ endpoint = etcd.endpoint, through = (store: Store) => store, ...options } = {}) => {
      const store = await openEtcdStore({ endpoints: [endpoint], prefix: '/tenant' })
      const platform = await startPlatform({ clock: systemClock, ...options, store: through(store) })
      const replica = { ...platform, store }
      started.push(replica)
      return replica
    },
    remove: async () => {
      for (const replica of started) {
        await replica.stop()
        await replica.store.close()
      }
      await etcd.remove()
    },
  }
}
