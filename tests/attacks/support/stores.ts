import type { Store } from '../../../src/storage/contract.ts'
import { openEtcdStore } from '../../../src/storage/etcd/open.ts'
import { missingEtcd, startEtcd } from '../../support/stores/etcd.ts'

/** The stores of a platform under attack; etcd only if it is installed. */
export const stores = missingEtcd() === undefined ? (['embedded', 'etcd'] as const) : (['embedded'] as const)

export interface TestStore {
  /** Options to start a server with. */
  readonly options: { readonly store?: Store }
  /** Called after the server has stopped. */
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
