import { ByteCollector } from '../byte-collector.ts'
import { ByteScanner, type JsonShape } from './byte-scanner.ts'
import { JsonSyntaxError } from './error.ts'

const space = new Set([0x20, 0x09, 0x0a, 0x0d])
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
/** One level for the document and one for the array. */
const levelOfElements = 2
const longestName = 64

/** One object of the array, as written in the document. */
export interface JsonElement {
  /** Only the beginning if `isWhole` is false. */
  readonly bytes: Buffer
  readonly isWhole: boolean
  readonly shape: JsonShape
}

export interface SplitterOptions {
  /** The document's member whose elements are passed on one by one. */
  readonly member: string
  /** At most this much of an element is kept. */
  readonly maxElementBytes: number
  /** Limit for everything outside the elements. */
  readonly maxRestBytes: number
  readonly take: (element: JsonElement) => void
}

/**
 * Extracts the elements of an array from a document while it arrives, so that each can be read, or refused, separately.
 */
export class ElementSplitter {
  readonly #options: SplitterOptions
  readonly #memberEnd: RegExp
  readonly #scanner = new ByteScanner()
  readonly #rest = new ByteCollector()
  readonly #element = new ByteCollector()
  #place: 'around' | 'between' | 'inside' = 'around'
  #isWhole = true

  constructor(options: SplitterOptions) {
    this.#options = options
    this.#memberEnd = new RegExp(`[{,\\s]"${options.member}"\\s*:\\s*\\[$`)
  }

  /** Throws JsonSyntaxError for anything but a list of objects. */
  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#place === 'around') at = this.#readAround(chunk, at)
      else if (this.#place === 'between') at = this.#readBetween(chunk, at)
      else at = this.#readInside(chunk, at)
    }
  }

  /** Returns the document with an empty array. Throws JsonSyntaxError if the document is incomplete. */
  end(): Buffer {
    if (this.#place !== 'around' || this.#scanner.depth !== 0) throw new JsonSyntaxError('unexpected end of JSON input')
    return this.#rest.take()
  }

  #readAround(chunk: Buffer, start: number): number {
    const end = this.#scanner.scan(chunk, start, levelOfElements)
    this.#rest.add(chunk.subarray(start, end))
    if (this.#rest.length > this.#options.maxRestBytes)
      throw new JsonSyntaxError('the rest of the document is too large')
    const isOpened = this.#scanner.depth === levelOfElements && chunk[end - 1] === openBracket
    if (isOpened && this.#memberEnd.test(this.#rest.last(longestName).toString('latin1'))) this.#place = 'between'
    return end
  }

  #readBetween(chunk: Buffer, start: number): number {
    let at = start
    while (at < chunk.length && (chunk[at] === comma || space.has(chunk[at] ?? 0))) at++
    if (chunk[at] === openBrace) {
      this.#place = 'inside'
      this.#isWhole = true
      this.#scanner.measure()
    } else if (chunk[at] === closeBracket) this.#place = 'around'
    else if (at < chunk.length) throw new JsonSyntaxError('the list holds something that is no object')
    return at
  }

  #readInside(chunk: Buffer, start: number): number {
    const end = this.#scanner.scan(chunk, start, levelOfElements)
    const room = this.#options.maxElementBytes - this.#element.length
    if (end - start > room) this.#isWhole = false
    this.#element.add(chunk.subarray(start, start + Math.min(room, end - start)))
    if (this.#scanner.depth === levelOfElements) {
      this.#place = 'between'
      this.#options.take({ bytes: this.#element.take(), isWhole: this.#isWhole, shape: this.#scanner.shape })
    }
    return end
  }
}
