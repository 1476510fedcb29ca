import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { describeStore } from './conformance.ts'

describeStore('lmdb store', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-store-'))
  const store = await openLmdbStore({ directory })
  return {
    store,
    async remove() {
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
})
