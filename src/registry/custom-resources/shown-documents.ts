import { internalError } from '../../api/error.ts'
import { Pace } from '../../base/pace.ts'
import type { Document } from '../contract.ts'
import type { ConvertedMemory } from './converted-memory.ts'

/** Limits for one request, unless it is for a single object. */
const batchBytes = 128 * 1024
const batchDocuments = 1_000
/** A webhook may enlarge stored objects, but not without limit in one response. */
const mostGrowth = 2
const mostMoreBytes = 32 * 1024 * 1024

/** Converts the documents of one request to another version, in the same order. */
export type ConvertBatch = (documents: readonly Document[]) => Promise<readonly Document[]>

/**
 * Converted documents, kept with their sources, so that readers and watchers of one state share them. Each request
 * succeeds or fails separately.
 */
export class ShownDocuments {
  readonly #convert: ConvertBatch
  readonly #memory: ConvertedMemory
  /** Includes conversions in progress: all who want one wait for the same answer. */
  readonly #shown = new WeakMap<Document, Promise<Document>>()

  constructor(convert: ConvertBatch, memory: ConvertedMemory) {
    this.#convert = convert
    this.#memory = memory
  }

  async show(documents: readonly Document[], signal: AbortSignal): Promise<readonly Document[]> {
    this.#memory.forgetOld()
    const pace = new Pace()
    const all: Document[] = []
    let storedBytes = 0
    let shownBytes = 0
    for (const batch of this.#batches(documents)) {
      signal.throwIfAborted()
      for (const shown of await Promise.all(this.#batch(batch))) {
        all.push(shown)
        shownBytes += shown.json.length
      }
      for (const { json } of batch) storedBytes += json.length
      requireRoom(storedBytes, shownBytes)
      await pace.step()
    }
    return all
  }

  /** Documents that others have requested meanwhile need no new request. */
  *#batches(documents: readonly Document[]): Generator<readonly Document[]> {
    let batch: Document[] = []
    let bytes = 0
    for (const document of documents) {
      const size = this.#shown.has(document) ? 0 : document.json.length
      if (batch.length > 0 && (bytes + size > batchBytes || batch.length >= batchDocuments)) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(document)
      bytes += size
    }
    if (batch.length > 0) yield batch
  }

  #batch(documents: readonly Document[]): readonly Promise<Document>[] {
    const unknown = documents.filter((document) => !this.#shown.has(document))
    if (unknown.length > 0) this.#begin(unknown)
    return documents.flatMap((document) => this.#shown.get(document) ?? [])
  }

  /** Failed conversions are forgotten. */
  #begin(documents: readonly Document[]): void {
    const converted = this.#convert(documents)
    documents.forEach((document, index) => {
      const shown = converted.then((all) => all[index] ?? lost())
      this.#shown.set(document, shown)
      shown.then(
        ({ json }) => this.#keep(document, shown, json.length),
        () => this.#shown.delete(document),
      )
    })
  }

  /** As long as the document itself exists, and there is room. */
  #keep(document: Document, shown: Promise<Document>, bytes: number): void {
    const reference = new WeakRef(document)
    const shownReference = new WeakRef(shown)
    this.#memory.keep(bytes, () => {
      const known = reference.deref()
      if (known !== undefined && this.#shown.get(known) === shownReference.deref()) this.#shown.delete(known)
    })
  }
}

function requireRoom(storedBytes: number, shownBytes: number): void {
  if (shownBytes <= storedBytes * mostGrowth + mostMoreBytes) return
  throw internalError(
    'the conversion webhook makes the objects of one list too large; request fewer at a time with limit',
  )
}

function lost(): never {
  throw new Error('A document was lost while it was converted.')
}
