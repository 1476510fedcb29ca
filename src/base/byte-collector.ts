const nothing = Buffer.alloc(0)

/**
 * Collects bytes that arrive in chunks. However small the chunks are, the memory used stays close to the size of their
 * content.
 */
export class ByteCollector {
  /** Only the first `#length` bytes are valid. A single chunk is kept as is and never written to. */
  #bytes: Buffer = nothing
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Buffer): void {
    if (this.#length === 0) this.#bytes = piece
    else this.#append(piece)
    this.#length += piece.length
  }

  /** The last `count` bytes, or fewer if there are not that many. */
  last(count: number): Buffer {
    return this.#bytes.subarray(Math.max(0, this.#length - count), this.#length)
  }

  /** Returns all bytes and empties the collector. */
  take(): Buffer {
    const whole = this.#bytes.subarray(0, this.#length)
    this.#bytes = nothing
    this.#length = 0
    return whole
  }

  #append(piece: Buffer): void {
    const needed = this.#length + piece.length
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, needed))
      this.#bytes.copy(grown, 0, 0, this.#length)
      this.#bytes = grown
    }
    piece.copy(this.#bytes, this.#length)
  }
}
