/** What a scan of the text reveals without building values. Correct for valid JSON only. */
export interface JsonOutline {
  /** The number of members in the text, including repeated ones. */
  readonly members: number
  readonly depth: number
  /** The number of members and items; each empty object or array may add one. */
  readonly values: number
  /** Whether any number is so long, or written in such a form, that a double may not hold it. */
  readonly riskyNumber: boolean
  /** Whether any number is written with a fraction or an exponent. */
  readonly fraction: boolean
}

const quote = 0x22
const backslash = 0x5c
const safeDigits = 15

export function outlineJson(text: string): JsonOutline {
  const scan = new JsonScan(text)
  scan.advance(text.length)
  return scan.outline
}

/**
 * Scans a text part by part. Every integer with fewer than 16 digits fits a double. Strings are skipped with indexOf,
 * which runs at memory speed; only the characters between strings are inspected one by one.
 */
export class JsonScan {
  readonly #text: string
  #at = 0
  #members = 0
  #values = 0
  #depth = 0
  #deepest = 0
  #digits = 0
  #riskyNumber = false
  #fraction = false

  constructor(text: string) {
    this.#text = text
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length
  }

  /** The outline of the part scanned so far. */
  get outline(): JsonOutline {
    return {
      members: this.#members,
      values: this.#values,
      depth: this.#deepest,
      riskyNumber: this.#riskyNumber,
      fraction: this.#fraction,
    }
  }

  /** Scans that many characters, and on to the end of the string in which they end. */
  advance(characters: number): void {
    const text = this.#text
    const until = Math.min(text.length, this.#at + characters)
    let members = this.#members
    let values = this.#values
    let depth = this.#depth
    let deepest = this.#deepest
    let digits = this.#digits
    let riskyNumber = this.#riskyNumber
    let fraction = this.#fraction
    let at = this.#at
    for (; at < until; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        at = endOfString(text, at)
      } else if (code >= 0x30 && code <= 0x39) {
        digits++
        if (digits > safeDigits) riskyNumber = true
        continue
      } else if (code === 0x65 || code === 0x45) {
        if (digits > 0) {
          riskyNumber = true
          fraction = true
        }
      } else if (code === 0x2e) {
        fraction = true
        continue
      } else if (code === 0x7b || code === 0x5b) {
        depth++
        values++
        if (depth > deepest) deepest = depth
      } else if (code === 0x7d || code === 0x5d) {
        depth--
      } else if (code === 0x2c) {
        values++
      } else if (code === 0x3a) {
        members++
      }
      digits = 0
    }
    this.#at = at
    this.#members = members
    this.#values = values
    this.#depth = depth
    this.#deepest = deepest
    this.#digits = digits
    this.#riskyNumber = riskyNumber
    this.#fraction = fraction
  }
}

/** The position of the quote that closes the string starting at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  for (let before = at - 1; text.charCodeAt(before) === backslash; before--) backslashes++
  return backslashes % 2 === 1
}
