const newline = 0x0a

/** The text between newlines, out of chunks that end anywhere. Every byte is copied at most twice. */
export class LineReader {
  readonly #maxBytes: number
  #begun: Buffer[] = []
  #begunBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that the chunk completes, without those that are empty. */
  read(chunk: Buffer): readonly string[] {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#complete(chunk, start, end)
      if (line !== '') lines.push(line)
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
    return lines
  }

  #complete(chunk: Buffer, start: number, end: number): string {
    if (this.#begun.length === 0) return chunk.toString('utf8', start, end)
    const line = Buffer.concat([...this.#begun, chunk.subarray(start, end)]).toString('utf8')
    this.#begun = []
    this.#begunBytes = 0
    return line
  }

  #keep(rest: Buffer): void {
    this.#begunBytes += rest.length
    if (this.#begunBytes > this.#maxBytes) throw new Error(`a line is longer than ${this.#maxBytes} bytes`)
    this.#begun.push(rest)
  }
}
