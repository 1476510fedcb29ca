import type { V2Document } from './v2-document.ts'

/** Every client of OpenAPI 2 is sent all of it. */
const mostCharacters = 4 * 1024 * 1024

export interface KnownDocument {
  readonly document: V2Document
  /** As the server calls it; empty if it does not. */
  readonly etag: string
  /** Of what the server has sent. */
  readonly digest: string
}

/** The OpenAPI 2 documents of servers of APIs, as far as there is room for them. */
export class KnownDocuments {
  readonly #known = new Map<string, KnownDocument>()
  #size = 0

  of(name: string): KnownDocument | undefined {
    return this.#known.get(name)
  }

  /** What there is no room for is not known. */
  learn(name: string, known: KnownDocument): void {
    this.forget(name)
    if (this.#size + known.document.size > mostCharacters) return
    this.#known.set(name, known)
    this.#size += known.document.size
  }

  forget(name: string): void {
    this.#size -= this.#known.get(name)?.document.size ?? 0
    this.#known.delete(name)
  }
}
