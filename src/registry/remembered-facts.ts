import type { KubeObject } from '../api/object.ts'
import type { Cache } from './cache.ts'
import type { StoredDocument } from './document.ts'

/**
 * Facts about all objects of a kind that every request of another kind needs, such as which class is the default. Each
 * state of an object is parsed once, when it arrives: many large ones cost their writer, and no other caller. Existing
 * objects are parsed at the first call.
 */
export class RememberedFacts<Facts extends object> {
  readonly #read: (object: KubeObject) => Facts
  readonly #facts = new WeakMap<StoredDocument, Facts>()
  readonly #followed = new WeakSet<Cache>()

  /** `read` must return only what it needs, and retain no large part of the object. */
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

  /** A failure is reported to those who call `of`; the cache continues. */
  #readIfPossible(document: StoredDocument): void {
    try {
      this.of(document)
    } catch {
      return
    }
  }
}
