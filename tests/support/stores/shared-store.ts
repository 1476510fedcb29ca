import type { Store } from '../../../src/storage/contract.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'

/** An embedded store that says of itself, as an etcd does, that other processes write to it, too. */
export async function openSharedStore(directory: string): Promise<Store> {
  const opened = await openLmdbStore({ directory })
  return new Proxy(opened, {
    get: (target, property) => {
      if (property === 'soleWriter') return false
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
