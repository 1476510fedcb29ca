import { UsageError } from '../base/usage-error.ts'
import type { Store } from '../storage/contract.ts'
import { openLmdbStore } from '../storage/lmdb/open.ts'

/** Where objects are kept: `file:DIR`, or `etcd:URL[,URL]`. */
export async function openStore(url: string): Promise<Store> {
  const colon = url.indexOf(':')
  const scheme = url.slice(0, Math.max(colon, 0))
  const rest = url.slice(colon + 1)
  if (scheme === 'file' && rest !== '') return openLmdbStore({ directory: rest })
  if (scheme === 'etcd' && rest !== '') return openDistributed(rest.split(','))
  throw new UsageError(`${JSON.stringify(url)} names no store: use file:DIR or etcd:URL[,URL]`)
}

/** Loaded only by those who use it: the gRPC library takes longer than the rest of the start. */
async function openDistributed(endpoints: readonly string[]): Promise<Store> {
  const { openEtcdStore } = await import('../storage/etcd/open.ts')
  return openEtcdStore({ endpoints, prefix: '/tenant' })
}
