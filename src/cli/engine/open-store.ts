import type { Store } from '../../storage/contract.ts'
import { openEtcdStore } from '../../storage/etcd/open.ts'
import { openLmdbStore } from '../../storage/lmdb/open.ts'
import { UsageError } from '../usage-error.ts'

/** Where objects are kept: `file:DIR`, or `etcd:URL[,URL]`. */
export function openStore(url: string): Promise<Store> {
  const colon = url.indexOf(':')
  const scheme = url.slice(0, Math.max(colon, 0))
  const rest = url.slice(colon + 1)
  if (scheme === 'file' && rest !== '') return openLmdbStore({ directory: rest })
  if (scheme === 'etcd' && rest !== '') return openEtcdStore({ endpoints: rest.split(','), prefix: '/tenant' })
  throw new UsageError(`${JSON.stringify(url)} names no store: use file:DIR or etcd:URL[,URL]`)
}
