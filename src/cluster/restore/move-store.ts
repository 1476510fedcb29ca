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
 * Copies everything of a store into an empty one, of the same kind or the other, and compares both entry by entry. The old one
 * stays as it is. No server may write to it meanwhile: what it writes during the copy is found, and refused.
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
        // Not pinned to that revision: others on the same etcd may have had it compacted, while this store stood still.
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

/** An embedded store that is not there would be made, empty, and copied. */
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
