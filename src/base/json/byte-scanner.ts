const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** How much JSON there is to build, regardless of its content. */
export interface JsonShape {
  /** 1 for an object or array without nested ones. */
  readonly depth: number
  /** The approximate number of values. */
  readonly values: number
}

/** Tracks the brackets of JSON that arrives in chunks, without recursion and without building values. */
export class ByteScanner {
  #depth = 0
  #deepest = 0
  #values = 0
  #base = 0
  #isInString = false
  #isEscaped = false

  /** The number of open brackets. */
  get depth(): number {
    return this.#depth
  }

  /** The shape of what was scanned since `measure`. */
  get shape(): JsonShape {
    return { depth: this.#deepest - this.#base, values: this.#values }
  }

  /** Starts a new measurement with the next byte. */
  measure(): void {
    this.#base = this.#depth
    this.#deepest = this.#depth
    this.#values = 0
  }

  /** Advances past the next bracket that leaves at most `level` brackets open, or to the end. Returns that position. */
  scan(bytes: Uint8Array, start: number, level = -1): number {
    let at = this.#isInString ? this.#skipString(bytes, start) : start
    while (at < bytes.length) {
      const code = bytes[at++]
      if (code === quote) {
        this.#isInString = true
        at = this.#skipString(bytes, at)
      } else if (code === comma) {
        this.#values++
      } else if (code === openBrace || code === openBracket) {
        this.#open()
        if (this.#depth <= level) return at
      } else if (code === closeBrace || code === closeBracket) {
        this.#depth--
        if (this.#depth <= level) return at
      }
    }
    return at
  }

  #open(): void {
    this.#depth++
    this.#values++
    if (this.#depth > this.#deepest) this.#deepest = this.#depth
  }

  /** Returns where the string ends, or where the bytes end. */
  #skipString(bytes: Uint8Array, start: number): number {
    let at = start
    if (this.#isEscaped && at < bytes.length) {
      this.#isEscaped = false
      at++
    }
    while (at < bytes.length) {
      const code = bytes[at++]
      if (code === quote) {
        this.#isInString = false
        return at
      }
      if (code === backslash && at++ >= bytes.length) this.#isEscaped = true
    }
    return Math.min(at, bytes.length)
  }
}

export function shapeOf(bytes: Uint8Array): JsonShape {
  const scanner = new ByteScanner()
  scanner.scan(bytes, 0)
  return scanner.shape
}
