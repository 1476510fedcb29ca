import { sortedMap } from '../base/sorted-map.ts'
import type { Cache, Snapshot } from './cache.ts'
import type { Visibility } from './contract.ts'
import type { StoredDocument } from './document.ts'

/** The current objects among which are all that the user sees. */
export function visibleAmong(cache: Cache, visibility: Visibility | undefined): Snapshot {
  const names = visibility?.currentNames?.()
  if (names === undefined) return cache.current()
  const documents: Snapshot = sortedMap<StoredDocument>()
  for (const name of names) {
    const document = cache.get({ namespace: '', name })
    if (document !== undefined) documents.set(name, document)
  }
  return documents
}
