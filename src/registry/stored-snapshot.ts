import { sortedMap } from '../base/sorted-map.ts'
import type { Snapshot } from './cache.ts'
import type { ResourceContext } from './context.ts'
import type { StoredDocument } from './document.ts'

/** The objects of a kind as they stood at a revision, read from the store's history. Throws RevisionCompacted. */
export async function snapshotAt(context: ResourceContext, revision: number): Promise<Snapshot> {
  const { items } = await context.engine.store.list(context.cache.prefix, { atRevision: revision })
  const documents: Snapshot = sortedMap<StoredDocument>()
  for (const item of items) documents.set(item.key.slice(context.cache.prefix.length), context.cache.document(item))
  return documents
}
