import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../storage/contract.ts'
import { decodeFormat, encodeFormat, formatKey, formatRoot } from '../../storage/format/format-record.ts'
import { formatVersionOf } from '../../storage/format/raise-format.ts'
import { openAnyFormat, openStore } from '../store/open-store.ts'
import { continueFilling, type FilledStore, revisionGap, type TakeEntry } from './fill-store.ts'

export interface MovedStore extends FilledStore {
  /** The newest revision of the old store, which clients may know. */
  readonly fromRevision: number
}

export interface MoveOptions {
  /** No server opens the old store any more, not even one of an earlier version. */
  readonly isForGood?: boolean
}

/**
 * Copies everything from a store into an empty one, of either type, and compares both entry by entry. A copy that was
 * interrupted is continued. No server may write to the old store meanwhile: a write during the copy is detected, and
 * refused.
 */
export async function moveStore(from: string, to: string, { isForGood }: MoveOptions = {}): Promise<MovedStore> {
  requireThere(from)
  const source = await openStore(from)
  try {
    const fromRevision = await source.currentRevision()
    const store = await openAnyFormat(to, fromRevision + revisionGap)
    try {
      const filling = { store, url: to, from, storeFormat: await formatVersionOf(source) }
      const send = async (take: TakeEntry) => {
        // Not pinned to that revision: other clients of the same etcd may have compacted it, although this store did
        // not change.
        await source.list('', {
          each: ({ key, value }) => (key.startsWith(formatRoot) ? undefined : take({ key, value: Buffer.from(value) })),
        })
        if ((await source.currentRevision()) !== fromRevision) throw stillWritten(from)
      }
      const filled = await continueFilling(filling, send, async (key) => (await source.get(key)) !== undefined)
      if (isForGood) await closeForGood(source, to)
      return { ...filled, fromRevision }
    } finally {
      await store.close()
    }
  } finally {
    await source.close()
  }
}

/** Servers of earlier versions know only that an incomplete store must not be opened. */
async function closeForGood(source: Store, to: string): Promise<void> {
  const stored = await source.get(formatKey)
  const record = stored && decodeFormat(stored.value)
  if (stored === undefined || record === undefined) throw new Error('the store that was moved has no format record')
  const closed = { ...record, restoring: `its own objects, which are in ${to} now`, movedTo: to }
  const { outcome } = await source.update(formatKey, encodeFormat(closed), stored.revision)
  if (outcome !== 'written') throw stillWritten('that was moved')
}

/** A missing embedded store would be created, empty, and copied. */
function requireThere(from: string): void {
  const directory = /^file:(.+)$/.exec(from)?.[1]
  if (directory === undefined || existsSync(join(directory, 'data.mdb'))) return
  throw new Error(`there is no store in ${directory}: no file data.mdb is in it`)
}

function stillWritten(from: string): Error {
  return new Error(
    `the store ${from} was written to while it was copied: stop its servers, remove the copy, and begin again`,
  )
}
