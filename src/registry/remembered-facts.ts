import type { KubeObject } from '../api/object.ts'
import type { Cache } from './cache.ts'
import type { StoredDocument } from './document.ts'

/**
 * What is asked of all objects of a kind with every request of another kind, such as which class is the default one. Each state of an
 * object is parsed once, when it comes: many large ones cost who writes them, and no other caller. What was there before the first
 * question is parsed with that.
 */
export class RememberedFacts<Facts extends object> {
  readonly #read: (object: KubeObject) => Facts
  readonly #facts = new WeakMap<StoredDocument, Facts>()
  readonly #followed = new WeakSet<Cache>()

  /** `read` takes what it needs, and keeps no part of the object that may be large. */
  constructor(read: (object: KubeObject) => Facts) {
    this.#read = read
  }

  ofAll(cache: Cache): readonly Facts[] {
    return this.ofSome(cache, [...cache.current().values()])
  }

  ofSome(cache: Cache, documents: readonly StoredDocument[]): readonly Facts[] {
    this.#follow(cache)
    return documents.map((document) => this.of(document))
  }

  of(document: StoredDocument): Facts {
    const known = this.#facts.get(document)
    if (known !== undefined) return known
    const facts = this.#read(document.object)
    this.#facts.set(document, facts)
    return facts
  }

  #follow(cache: Cache): void {
    if (this.#followed.has(cache)) return
    this.#followed.add(cache)
    cache.listen((events) => {
      for (const { type, document } of events) if (type !== 'DELETED') this.#readIfPossible(document)
    })
  }

  /** Who asks is told what is wrong, and the cache goes on. */
  #readIfPossible(document: StoredDocument): void {
    try {
      this.of(document)
    } catch {
      return
    }
  }
}
