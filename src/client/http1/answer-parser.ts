import { type AnswerHead, checkTrailers, malformed, readAnswerHead } from './answer-head.ts'

export interface AnswerSink {
  onHead(head: AnswerHead): void
  onData(bytes: Buffer): void
  onEnd(): void
}

const headEnd = '\r\n\r\n'
const lineEnd = '\r\n'
const chunkLine = /^([\da-f]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?$/i
/** More than any server sends before a body, or around a chunk of one. */
const longestHead = 64 * 1024
const needsMore = -1
const nothing = Buffer.alloc(0)

type State = 'head' | 'body' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'end'

/** Reads one answer after the other from the bytes of a connection, wherever these are cut. */
export class AnswerParser {
  readonly #sink: AnswerSink
  #state: State = 'head'
  /** Bytes of the body or of the chunk that have yet to come. */
  #left = 0
  /** The beginning of something that cannot be read before its end is there. */
  #kept: Buffer = nothing

  constructor(sink: AnswerSink) {
    this.#sink = sink
  }

  /** Throws ConnectionError for bytes that belong to no answer. */
  read(chunk: Buffer): void {
    const bytes = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk])
    this.#kept = nothing
    for (let at = 0; at < bytes.length; ) {
      const next = this.#step(bytes, at)
      if (next === needsMore) {
        this.#kept = bytes.subarray(at)
        return
      }
      at = next
    }
  }

  /** No more bytes will come. Whether the answer is complete because of that. */
  endsWithConnection(): boolean {
    return this.#state === 'body' && this.#left === Number.POSITIVE_INFINITY
  }

  /** Ready for the next answer. */
  expectAnswer(): void {
    this.#state = 'head'
  }

  /** Where to go on reading. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#head(bytes, at)
      case 'body':
        return this.#body(bytes, at, 'end')
      case 'chunk size':
        return this.#chunkSize(bytes, at)
      case 'chunk':
        return this.#body(bytes, at, 'chunk end')
      case 'chunk end':
        return this.#chunkEnd(bytes, at)
      case 'trailers':
        return this.#trailers(bytes, at)
      case 'end':
        return malformed('goes on behind its end')
    }
  }

  #head(bytes: Buffer, at: number): number {
    const end = endOf(bytes, at, headEnd)
    if (end === needsMore) return needsMore
    const head = readAnswerHead(bytes.toString('latin1', at, end))
    const bodyStart = end + headEnd.length
    if (head.status === 101) malformed('changes the protocol, which nobody asked for')
    // Only tells that an answer will come.
    if (head.status < 200) return bodyStart
    this.#state = head.bodyLength === 'chunked' ? 'chunk size' : 'body'
    this.#left = typeof head.bodyLength === 'number' ? head.bodyLength : Number.POSITIVE_INFINITY
    this.#sink.onHead(head)
    if (head.bodyLength === 0) this.#finish()
    return bodyStart
  }

  #body(bytes: Buffer, at: number, behind: 'end' | 'chunk end'): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#sink.onData(bytes.subarray(at, end))
    if (this.#left > 0) return end
    if (behind === 'end') this.#finish()
    else this.#state = 'chunk end'
    return end
  }

  #chunkSize(bytes: Buffer, at: number): number {
    const end = endOf(bytes, at, lineEnd)
    if (end === needsMore) return needsMore
    const [, size] = chunkLine.exec(bytes.toString('latin1', at, end)) ?? malformed('has a chunk without a size')
    this.#left = Number.parseInt(size ?? '', 16)
    this.#state = this.#left === 0 ? 'trailers' : 'chunk'
    return end + lineEnd.length
  }

  #chunkEnd(bytes: Buffer, at: number): number {
    if (bytes.length < at + lineEnd.length) return needsMore
    const end = at + lineEnd.length
    if (bytes.toString('latin1', at, end) !== lineEnd) malformed('has a chunk that is longer than it says')
    this.#state = 'chunk size'
    return end
  }

  /** What is said behind the last chunk is of no interest; an empty line ends it. */
  #trailers(bytes: Buffer, at: number): number {
    const firstEnd = endOf(bytes, at, lineEnd)
    const end = firstEnd === at ? at : endOf(bytes, at, headEnd)
    if (end === needsMore) return needsMore
    if (end > at) checkTrailers(bytes.toString('latin1', at, end))
    this.#finish()
    return end + (end > at ? headEnd : lineEnd).length
  }

  #finish(): void {
    this.#state = 'end'
    this.#sink.onEnd()
  }
}

/** Where a head or a line ends, or that it has not done so yet. */
function endOf(bytes: Buffer, at: number, mark: string): number {
  const end = bytes.indexOf(mark, at, 'latin1')
  const atLeast = end < 0 ? bytes.length - mark.length + 1 : end
  if (atLeast - at > longestHead) malformed('has a head without an end')
  return end < 0 ? needsMore : end
}
