import { join } from 'node:path'
import type { Log } from '../../base/log.ts'
import { decodeFormat, formatKey } from '../../storage/format/format-record.ts'
import { hadStore } from '../../storage/lmdb/marker.ts'
import { moveStore } from '../restore/move-store.ts'
import { openAnyFormat } from '../store/open-store.ts'
import { parseStoreAddress } from '../store/store-address.ts'

/** Where a virtual cluster keeps its objects, unless another store is named. */
export function embeddedStoreIn(directory: string): string {
  return `file:${join(directory, 'virtual')}`
}

/**
 * Moves the objects of a data directory into the etcd that a virtual cluster is started on from now on, if that has
 * none. Otherwise the virtual cluster would start without them, and their copies on the host would be deleted. For the
 * same reason it fails if they were moved before, and the etcd has none of them, or if their file is missing.
 */
export async function moveEmbedded(directory: string, to: string, log: Log): Promise<void> {
  const from = embeddedStoreIn(directory)
  if (parseStoreAddress(to).form !== 'etcd' || !hadStore(join(directory, 'virtual'))) return
  if (!(await isEmptyOrBegun(to, from))) {
    await warnIfUnused(from, log)
    return
  }
  log.info('the objects in the data directory are moved into the store that is named')
  const { entries } = await moveStore(from, to, { isForGood: true })
  log.info('all objects were moved', { entries })
}

/** The old store is not needed any more, so nothing that is wrong with it keeps the virtual cluster from starting. */
async function warnIfUnused(from: string, log: Log): Promise<void> {
  try {
    if (await hasMoved(from)) return
    log.warn('the objects in the data directory are not used: the configured store already has objects')
  } catch (error) {
    log.warn('the store in the data directory cannot be read, and is not used', { error })
  }
}

async function hasMoved(from: string): Promise<boolean> {
  const store = await openAnyFormat(from)
  try {
    const stored = await store.get(formatKey)
    return stored !== undefined && decodeFormat(stored.value)?.movedTo !== undefined
  } finally {
    await store.close()
  }
}

async function isEmptyOrBegun(to: string, from: string): Promise<boolean> {
  const store = await openAnyFormat(to)
  try {
    const mark = await store.get(formatKey)
    if (mark !== undefined) return decodeFormat(mark.value)?.restoring === from
    return (await store.list('', { limit: 1 })).items.length === 0
  } finally {
    await store.close()
  }
}
