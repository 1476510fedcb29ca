import type { KubeObject } from '../../api/object.ts'
import type { StoredDocument } from '../../registry/document.ts'

/** Caches facts read from an object as long as its state exists: many autoscalers may need the same Pods. */
export class ReadOnce<Facts extends object> {
  readonly #read: (object: KubeObject) => Facts
  readonly #known = new WeakMap<StoredDocument, Facts>()

  constructor(read: (object: KubeObject) => Facts) {
    this.#read = read
  }

  of(document: StoredDocument): Facts {
    const facts = this.#known.get(document) ?? this.#read(document.object)
    this.#known.set(document, facts)
    return facts
  }
}
