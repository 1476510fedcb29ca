import type { Cache } from '../registry/cache.ts'
import type { StoredDocument } from '../registry/document.ts'

/** Follows the objects of a kind, beginning with those that exist. */
export interface Follower {
  put(document: StoredDocument, previous: StoredDocument | undefined): void
  remove(document: StoredDocument): void
  /** Called instead of `put` for objects that exist at the start. */
  first?(document: StoredDocument): void
  /**
   * Called with a state that could not be processed: whatever this or an earlier state of the object granted must be
   * withdrawn.
   */
  unreadable?(document: StoredDocument): void
}

/** A change takes effect once it is acknowledged. Returns a function that stops following. */
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
