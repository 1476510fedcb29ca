const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = '0\r\n\r\n'

/**
 * Reads HTTP/1.1 answers that arrive one at a time, only enough to know where each ends. A chunked body ends with the
 * empty chunk; since nothing follows before the next request, the last bytes are enough.
 */
export class AnswerReader {
  status = 0
  /** Head and body. */
  byteLength = 0
  #remaining = -1
  #isChunked = false
  #tail = ''
  #chunks: Buffer[] = []
  #bodyStart = 0
  readonly #keepsBody: boolean

  constructor(options: { readonly keepsBody: boolean }) {
    this.#keepsBody = options.keepsBody
  }

  /** True when the answer is complete. */
  push(chunk: Buffer): boolean {
    if (this.#remaining === -1 && !this.#isChunked) return this.#readHead(chunk)
    this.byteLength += chunk.length
    if (this.#keepsBody) this.#chunks.push(chunk)
    return this.#advance(chunk, chunk.length)
  }

  /** Everything after the head; chunked bodies with their framing. Only if bodies are kept. */
  body(): string {
    return Buffer.concat(this.#chunks).toString('utf8', this.#bodyStart)
  }

  reset(): void {
    this.byteLength = 0
    this.#remaining = -1
    this.#isChunked = false
    this.#tail = ''
    this.#chunks = []
  }

  /** Heads are small and arrive in one piece; otherwise the measurement is invalid. */
  #readHead(chunk: Buffer): boolean {
    const end = chunk.indexOf(headEnd)
    if (end < 0) throw new Error('the head of an answer did not come in one piece')
    const head = chunk.toString('latin1', 0, end)
    this.status = Number(head.slice(9, 12))
    this.byteLength = chunk.length
    this.#bodyStart = end + headEnd.length
    if (this.#keepsBody) this.#chunks.push(chunk)
    const length = /\ncontent-length: (\d+)/i.exec(head)?.[1]
    this.#isChunked = length === undefined
    this.#remaining = Number(length ?? 0)
    return this.#advance(chunk, chunk.length - this.#bodyStart)
  }

  #advance(chunk: Buffer, bodyBytes: number): boolean {
    if (this.#isChunked) {
      const tail = chunk.toString('latin1', Math.max(0, chunk.length - lastChunk.length))
      this.#tail = (this.#tail + tail).slice(-lastChunk.length)
      return this.#tail === lastChunk
    }
    this.#remaining -= bodyBytes
    return this.#remaining === 0
  }
}
