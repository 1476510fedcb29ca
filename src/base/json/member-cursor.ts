const quote = 0x22
const comma = 0x2c
const zero = 0x30
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const safeDigits = 15

/**
 * Walks through an object as printed by `JSON.stringify`, in place, and builds only the values that are asked for.
 * Anything unusual, including white space and escapes in names, ends the walk: unless `isDone` is true at the end,
 * discard everything that was read and parse the text. Skipped values are not validated.
 */
export class MemberCursor {
  readonly #bytes: Buffer
  readonly #end: number
  #at: number
  #nameStart = 0
  #nameEnd = 0
  /** Whether the last string has an escape or a character outside ASCII. */
  #isEscaped = false
  #isAscii = true
  #isUnusual = false

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  /** Whether the whole text had the expected form. */
  get isDone(): boolean {
    return !this.#isUnusual && this.#at === this.#end
  }

  /**
   * Enters the object at the cursor, so that `next` yields its members. False: the value is not an object, and is
   * skipped.
   */
  enter(): boolean {
    if (this.#bytes[this.#at] !== openBrace) {
      this.passOver()
      return false
    }
    this.#at++
    return true
  }

  /** Moves to the next member. False: there is none, and the cursor is behind the object. */
  next(): boolean {
    if (this.#bytes[this.#at] === comma) this.#at++
    if (this.#at >= this.#end) return this.#giveUp()
    if (this.#bytes[this.#at] === closeBrace) {
      this.#at++
      return false
    }
    if (this.#bytes[this.#at] !== quote) return this.#giveUp()
    this.#nameStart = this.#at + 1
    this.#skipString()
    this.#nameEnd = this.#at - 1
    const isNamed = this.#at < this.#end && this.#bytes[this.#at] === colon
    if (this.#isEscaped || !isNamed) return this.#giveUp()
    this.#at++
    return true
  }

  /** Whether the member has that name, which must be ASCII. */
  isNamed(name: string): boolean {
    if (name.length !== this.#nameEnd - this.#nameStart) return false
    for (let index = 0; index < name.length; index++) {
      if (this.#bytes[this.#nameStart + index] !== name.charCodeAt(index)) return false
    }
    return true
  }

  value(): unknown {
    const start = this.#at
    this.passOver()
    if (this.#isUnusual) return undefined
    if (this.#bytes[start] !== quote) return this.#shortNumber(start) ?? this.#parsed(start)
    if (this.#isEscaped) return this.#parsed(start)
    return this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', start + 1, this.#at - 1)
  }

  passOver(): void {
    const code = this.#bytes[this.#at]
    if (code === quote) this.#skipString()
    else if (code === openBrace || code === openBracket) this.#skipNested()
    else this.#skipScalar()
    if (this.#at > this.#end) this.#giveUp()
  }

  /** Most numbers are short integers. Undefined for any other value. */
  #shortNumber(start: number): number | undefined {
    const digits = this.#at - start
    if (digits === 0 || digits > safeDigits || (this.#bytes[start] === zero && digits > 1)) return undefined
    let number = 0
    for (let at = start; at < this.#at; at++) {
      const digit = (this.#bytes[at] ?? 0) - zero
      if (digit < 0 || digit > 9) return undefined
      number = number * 10 + digit
    }
    return number
  }

  #parsed(start: number): unknown {
    try {
      return JSON.parse(this.#bytes.toString('utf8', start, this.#at))
    } catch {
      this.#giveUp()
      return undefined
    }
  }

  #skipString(): void {
    const bytes = this.#bytes
    let at = this.#at + 1
    let seen = 0
    this.#isEscaped = false
    for (; at < this.#end && bytes[at] !== quote; at++) {
      const code = bytes[at] ?? 0
      seen |= code
      if (code !== backslash) continue
      this.#isEscaped = true
      at++
    }
    this.#isAscii = seen < 0x80
    this.#at = at + 1
  }

  #skipNested(): void {
    let depth = 0
    do {
      const code = this.#bytes[this.#at]
      if (code === quote) {
        this.#skipString()
        continue
      }
      if (code === openBrace || code === openBracket) depth++
      else if (code === closeBrace || code === closeBracket) depth--
      this.#at++
    } while (depth > 0 && this.#at <= this.#end)
  }

  #skipScalar(): void {
    const bytes = this.#bytes
    let at = this.#at
    for (; at < this.#end; at++) {
      const code = bytes[at]
      if (code === comma || code === closeBrace || code === closeBracket) break
    }
    this.#at = at
  }

  #giveUp(): false {
    this.#isUnusual = true
    this.#at = this.#end
    return false
  }
}
