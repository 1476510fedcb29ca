import type { Cache } from '../registry/cache.ts'
import type { StoredDocument } from '../registry/document.ts'

/** What follows the objects of a kind, from those that are there on. */
export interface Follower {
  put(document: StoredDocument, previous: StoredDocument | undefined): void
  remove(document: StoredDocument): void
  /** Called instead of `put` with what is there from the beginning. */
  first?(document: StoredDocument): void
}

/** A change counts from the moment it is acknowledged. Returns how to stop following. */
export function followCache(cache: Cache, follower: Follower): () => void {
  const unsubscribe = cache.listen((events) => {
    for (const { type, document, previous } of events) {
      if (type === 'DELETED') follower.remove(document)
      else follower.put(document, previous)
    }
  })
  const first = follower.first ?? ((document) => follower.put(document, undefined))
  for (const document of cache.current().values()) first(document)
  return unsubscribe
}
