/** Bytes that arrive in chunks, read in pieces of a given length. Holds no more than one piece and one chunk. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** That many bytes, or the rest if there are fewer: empty at the end. */
  async take(length: number): Promise<Buffer> {
    if (this.#rest.length >= length) return this.#cut(length)
    const pieces = [this.#rest]
    let held = this.#rest.length
    while (held < length) {
      const next = await this.#chunks.next()
      if (next.done === true) break
      pieces.push(next.value)
      held += next.value.length
    }
    this.#rest = Buffer.concat(pieces, held)
    return this.#cut(Math.min(length, held))
  }

  /** Ends the reading early. */
  async end(): Promise<void> {
    await this.#chunks.return?.()
  }

  #cut(length: number): Buffer {
    const piece = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return piece
  }
}
