import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatRoot } from '../../storage/format/format-record.ts'
import { formatVersionOf } from '../../storage/format/raise-format.ts'
import { openAnyFormat, openStore } from '../open-store.ts'
import { type FilledStore, fillStore, revisionGap } from './fill-store.ts'

export interface MovedStore extends FilledStore {
  /** The newest revision of the old store, which clients may know. */
  readonly fromRevision: number
}

/**
 * Copies everything from a store into an empty one, of either type, and compares both entry by entry. The old one stays
 * unchanged. No server may write to it meanwhile: a write during the copy is detected, and refused.
 */
export async function moveStore(from: string, to: string): Promise<MovedStore> {
  requireThere(from)
  const source = await openStore(from)
  try {
    const fromRevision = await source.currentRevision()
    const store = await openAnyFormat(to, fromRevision + revisionGap)
    try {
      const filling = { store, url: to, from, storeFormat: await formatVersionOf(source) }
      const filled = await fillStore(filling, async (take) => {
        // Not pinned to that revision: other clients of the same etcd may have compacted it, although this store did
        // not change.
        await source.list('', {
          each: ({ key, value }) => (key.startsWith(formatRoot) ? undefined : take({ key, value: Buffer.from(value) })),
        })
        if ((await source.currentRevision()) !== fromRevision) throw stillWritten(from)
      })
      return { ...filled, fromRevision }
    } finally {
      await store.close()
    }
  } finally {
    await source.close()
  }
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
