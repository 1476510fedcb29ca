import { sortedMap } from '../base/sorted-map.ts'
import { RevisionCompacted } from '../storage/contract.ts'
import type { Snapshot } from './cache.ts'
import type { ResourceContext } from './context.ts'
import type { StoredDocument } from './document.ts'

/** A state with more changes since then counts as compacted: the caller uses the current one. */
export const maxChangedBytes = 16 * 1024 * 1024

export interface StoredSnapshot {
  readonly documents: Snapshot
  /** The size of objects held only for this snapshot. */
  readonly ownBytes: number
}

/**
 * The objects of a kind at a revision, read from the store's history. Unchanged objects are shared with the cache.
 * Throws RevisionCompacted.
 */
export async function snapshotAt(
  { engine, cache, snapshots }: ResourceContext,
  revision: number,
): Promise<StoredSnapshot> {
  const documents: Snapshot = sortedMap<StoredDocument>()
  let ownBytes = 0
  await engine.store.list(cache.prefix, {
    atRevision: revision,
    each: (item) => {
      const key = item.key.slice(cache.prefix.length)
      const known = cache.find(key, item.revision) ?? snapshots.find(key, item.revision)
      const document = known ?? cache.document(item)
      if (known === undefined) ownBytes += document.bytes
      if (ownBytes > maxChangedBytes) throw new RevisionCompacted(revision, engine.feed.revision)
      documents.set(key, document)
    },
  })
  return { documents, ownBytes }
}
