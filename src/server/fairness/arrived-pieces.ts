import type { Readable } from 'node:stream'
import { Fifo } from '../../base/concurrency/fifo.ts'

/** Memory of a piece besides its bytes, measured: 115 over a link, and 250 over TLS, where each is a record. */
const bytesPerPiece = 256
/** Pieces are counted in groups, so that counting takes little memory itself. */
const piecesPerMark = 32

/**
 * The memory of what has arrived on a stream and has not been read. A peer decides how small the pieces are: a megabyte
 * in pieces of one byte takes more than a hundred.
 */
export class ArrivedPieces {
  readonly #stream: Readable
  /** How many bytes had arrived with every so many pieces; those that have been read are dropped. */
  readonly #marks = new Fifo<number>()
  #pieces = 0
  #bytes: number

  /** Node reports data that arrives for a paused stream only by `push`. */
  constructor(stream: Readable) {
    this.#stream = stream
    this.#bytes = stream.readableLength
    const push = stream.push
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (Buffer.isBuffer(chunk)) this.#count(chunk.length)
      return push.call(stream, chunk, encoding)
    }
  }

  /** What is held now. */
  get heldBytes(): number {
    const { readableLength } = this.#stream
    const readBytes = this.#bytes - readableLength
    for (let mark = this.#marks.peek(); mark !== undefined && mark <= readBytes; mark = this.#marks.peek()) {
      this.#marks.shift()
    }
    return readableLength + this.#marks.size * piecesPerMark * bytesPerPiece
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#pieces += 1
    if (this.#pieces % piecesPerMark === 0) this.#marks.push(this.#bytes)
  }
}
