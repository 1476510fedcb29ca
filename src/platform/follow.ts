import type { Cache } from '../registry/cache.ts'
import type { StoredDocument } from '../registry/document.ts'

/** What follows the objects of a kind, from those that are there on. */
export interface Follower {
  put(document: StoredDocument, previous: StoredDocument | undefined): void
  remove(document: StoredDocument): void
  /** Called instead of `put` with what is there from the beginning. */
  first?(document: StoredDocument): void
  /** Called with a state that could not be taken in: what it gives, or gave before, is to be given no more. */
  unreadable?(document: StoredDocument): void
}

/** A change counts from the moment it is acknowledged. Returns how to stop following. */
export function followCache(cache: Cache, follower: Follower): () => void {
  const attempt = (document: StoredDocument, work: () => void): void =>
    cache.attempt(document, work, () => follower.unreadable?.(document))
  const unsubscribe = cache.listen((events) => {
    for (const { type, document, previous } of events) {
      attempt(document, () => (type === 'DELETED' ? follower.remove(document) : follower.put(document, previous)))
    }
  })
  const first = follower.first ?? ((document) => follower.put(document, undefined))
  for (const document of cache.current().values()) attempt(document, () => first(document))
  return unsubscribe
}
