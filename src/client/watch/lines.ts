import { ByteCollector } from '../../base/byte-collector.ts'

const newline = 0x0a

export interface Line {
  /** Only the beginning, if the line is incomplete. */
  readonly bytes: Buffer
  readonly isWhole: boolean
}

/** Splits chunks of any size into lines. Of a line that is too long, only the beginning is kept. */
export class LineReader {
  readonly #maxBytes: number
  readonly #begun = new ByteCollector()
  #isWhole = true

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that the chunk completes, without empty ones. */
  read(chunk: Buffer): readonly Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end))
      if (this.#begun.length > 0) lines.push({ bytes: this.#begun.take(), isWhole: this.#isWhole })
      this.#isWhole = true
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    return lines
  }

  #add(part: Buffer): void {
    const room = this.#maxBytes - this.#begun.length
    if (part.length > room) this.#isWhole = false
    this.#begun.add(part.subarray(0, room))
  }
}
