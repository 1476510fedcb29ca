/** What a look at the text tells, without building anything. True of valid JSON only. */
export interface JsonOutline {
  /** How many members the text writes down, repeated ones included. */
  readonly members: number
  readonly depth: number
  /** How many members and items there are, at most one too many for each that is empty. */
  readonly values: number
  /** Whether some number is too long, or written in such a way, that a double may not hold it. */
  readonly riskyNumber: boolean
}

const quote = 0x22
const backslash = 0x5c
const safeDigits = 15

/**
 * Every 64-bit integer below 16 digits fits a double. Strings are skipped with indexOf, which runs at memory speed;
 * only the characters between strings are looked at one by one.
 */
export function outlineJson(text: string): JsonOutline {
  let members = 0
  let values = 0
  let depth = 0
  let deepest = 0
  let digits = 0
  let riskyNumber = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
    } else if (code >= 0x30 && code <= 0x39) {
      digits++
      if (digits > safeDigits) riskyNumber = true
      continue
    } else if (code === 0x65 || code === 0x45) {
      if (digits > 0) riskyNumber = true
    } else if (code === 0x2e) {
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
  return { members, values, depth: deepest, riskyNumber }
}

/** The position of the quote that ends the string which starts at `start`. */
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
