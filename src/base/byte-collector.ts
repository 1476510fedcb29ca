const nothing = Buffer.alloc(0)

/** Bytes that arrive in pieces. However small these are, not much more is kept than what they hold. */
export class ByteCollector {
  /** Of which the first `#length` bytes count. The only piece so far is kept as it is, and nothing is written into it. */
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

  /** Up to that many of the last bytes. */
  last(count: number): Buffer {
    return this.#bytes.subarray(Math.max(0, this.#length - count), this.#length)
  }

  /** All of it, after which this is empty. */
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
