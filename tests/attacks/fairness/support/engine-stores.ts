import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../../../src/storage/contract.ts'
import { openEtcdStore } from '../../../../src/storage/etcd/open.ts'
import { openLmdbStore } from '../../../../src/storage/lmdb/open.ts'
import { startEtcd } from '../../../support/stores/etcd.ts'

export const storeNames = ['embedded', 'etcd'] as const
export type StoreName = (typeof storeNames)[number]

/** Keeps the objects of a server for the next one. */
export interface StorePlace {
  open(): Promise<Store>
  remove(): Promise<void>
}

export async function storePlace(name: StoreName): Promise<StorePlace> {
  if (name === 'embedded') {
    const directory = await mkdtemp(join(tmpdir(), 'tenant-attacked-'))
    return {
      open: () => openLmdbStore({ directory }),
      remove: () => rm(directory, { recursive: true, force: true }),
    }
  }
  const etcd = await startEtcd()
  return { open: () => openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/attacked' }), remove: etcd.remove }
}
