import type { Store } from '../../../src/storage/contract.ts'
import { openEtcdStore } from '../../../src/storage/etcd/open.ts'
import { missingEtcd, startEtcd } from '../../support/etcd.ts'

/** Where a platform under attack keeps its objects; etcd only where it is installed. */
export const stores = missingEtcd() === undefined ? (['embedded', 'etcd'] as const) : (['embedded'] as const)

export interface TestStore {
  /** What to start a server with. */
  readonly options: { readonly store?: Store }
  /** After the server has stopped. */
  remove(): Promise<void>
}

export async function startStore(kind: (typeof stores)[number]): Promise<TestStore> {
  if (kind === 'embedded') return { options: {}, remove: async () => {} }
  const etcd = await startEtcd()
  const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/tenant' })
  return {
    options: { store },
    remove: async () => {
      await store.close()
      await etcd.remove()
    },
  }
}
