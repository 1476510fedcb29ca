const digestBytes = 32
const empty = -1
const deleted = -2

/**
 * SHA-256 digests, each with a row number, in little more than 32 bytes each: a million keys must fit into memory. A
 * digest is a text of 32 characters, one per byte.
 */
export class DigestTable {
  #digests = Buffer.alloc(16 * digestBytes)
  /** Open addressing: the digest's first bytes, which are as good as random, give the slot. */
  #slots = new Int32Array(32).fill(empty)
  /** Slots that are not empty, including removed ones. */
  #used = 0
  #rows = 0
  readonly #freeRows: number[] = []

  /** The row of the digest, or -1. Compares every byte, so that the time does not reveal how many match. */
  find(digest: string): number {
    const slot = this.#slotOf(digest)
    return slot < 0 ? -1 : (this.#slots[slot] ?? -1)
  }

  /** The digest must not be present yet. */
  add(digest: string): number {
    if ((this.#used + 1) * 2 > this.#slots.length) this.#rebuild()
    const row = this.#freeRows.pop() ?? this.#rows++
    if ((row + 1) * digestBytes > this.#digests.length) this.#grow()
    this.#digests.write(digest, row * digestBytes, 'latin1')
    this.#place(row)
    return row
  }

  remove(row: number): void {
    const slot = this.#slotOf(this.#digests.toString('latin1', row * digestBytes, (row + 1) * digestBytes))
    if (slot < 0) return
    this.#slots[slot] = deleted
    this.#freeRows.push(row)
  }

  #slotOf(digest: string): number {
    const mask = this.#slots.length - 1
    for (let slot = prefixOf(digest) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot] ?? empty
      if (row === empty) return -1
      if (row !== deleted && this.#equals(row, digest)) return slot
    }
  }

  #equals(row: number, digest: string): boolean {
    const digests = this.#digests
    const start = row * digestBytes
    let difference = 0
    for (let index = 0; index < digestBytes; index++) {
      difference |= (digests[start + index] ?? 0) ^ digest.charCodeAt(index)
    }
    return difference === 0
  }

  #place(row: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#digests.readInt32LE(row * digestBytes) & mask
    while ((this.#slots[slot] ?? empty) >= 0) slot = (slot + 1) & mask
    if (this.#slots[slot] === empty) this.#used++
    this.#slots[slot] = row
  }

  /** Also drops removed slots. */
  #rebuild(): void {
    const rows = this.#slots.filter((row) => row >= 0)
    let size = this.#slots.length
    while (rows.length * 4 >= size) size *= 2
    this.#slots = new Int32Array(size).fill(empty)
    this.#used = 0
    for (const row of rows) this.#place(row)
  }

  #grow(): void {
    const larger = Buffer.alloc(Math.ceil(this.#digests.length * 1.5))
    this.#digests.copy(larger)
    this.#digests = larger
  }
}

function prefixOf(digest: string): number {
  return (
    digest.charCodeAt(0) | (digest.charCodeAt(1) << 8) | (digest.charCodeAt(2) << 16) | (digest.charCodeAt(3) << 24)
  )
}
