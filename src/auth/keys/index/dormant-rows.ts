/**
 * Keys that have only been outlined, by row and by uid, in a few dozen bytes each. Only 32 bits of a uid are kept: a
 * caller that finds a row by uid must compare the whole uid. Two keys with the same bits are never both here.
 */
export class DormantRows<Source> {
  readonly #sources: (Source | undefined)[] = []
  readonly #rowsByUid = new Map<number, number>()

  get size(): number {
    return this.#rowsByUid.size
  }

  /** Rows are assigned in order, so that the list of sources has no gaps. */
  add(row: number, uid: string, source: Source): void {
    while (this.#sources.length < row) this.#sources.push(undefined)
    this.#sources[row] = source
    this.#rowsByUid.set(mixed(uid), row)
  }

  at(row: number): Source | undefined {
    return this.#sources[row]
  }

  /** The only row that may belong to the key. */
  rowOf(uid: string): number | undefined {
    return this.#rowsByUid.get(mixed(uid))
  }

  remove(row: number, uid: string): void {
    this.#sources[row] = undefined
    this.#rowsByUid.delete(mixed(uid))
  }
}

function mixed(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
