import type { V2Document } from './v2-document.ts'

/** Every OpenAPI 2 client receives all of it. */
const mostCharacters = 4 * 1024 * 1024

export interface KnownDocument {
  readonly document: V2Document
  /** The server's ETag; empty if it sends none. */
  readonly etag: string
  /** The digest of the server's response. */
  readonly digest: string
}

/** The OpenAPI 2 documents of users' servers, up to a total size. */
export class KnownDocuments {
  readonly #known = new Map<string, KnownDocument>()
  #size = 0

  of(name: string): KnownDocument | undefined {
    return this.#known.get(name)
  }

  /** A document that does not fit is dropped. */
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
