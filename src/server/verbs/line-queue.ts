/** Lines waiting to be written, in order. */
export class LineQueue {
  #lines: Buffer[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0
  }

  push(line: Buffer): void {
    this.#lines.push(line)
    this.#bytes += line.length
  }

  /** The next lines, up to this many bytes. A longer line is taken in parts. */
  take(mostBytes: number): readonly Buffer[] {
    if (this.#bytes <= mostBytes) return this.takeAll()
    let bytes = 0
    const end = this.#lines.findIndex((line) => {
      bytes += line.length
      return bytes > mostBytes
    })
    if (end > 0) return this.#counted(this.#lines.splice(0, end))
    const [first = Buffer.alloc(0)] = this.#lines
    this.#lines[0] = first.subarray(mostBytes)
    return this.#counted([first.subarray(0, mostBytes)])
  }

  takeAll(): readonly Buffer[] {
    const lines = this.#lines
    this.#lines = []
    this.#bytes = 0
    return lines
  }

  #counted(taken: readonly Buffer[]): readonly Buffer[] {
    for (const { length } of taken) this.#bytes -= length
    return taken
  }
}
