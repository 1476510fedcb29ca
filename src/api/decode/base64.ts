const alphabet = /^[A-Za-z0-9+/]*={0,2}$/
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export type Base64 = { readonly valid: true; readonly text: string } | { readonly valid: false; readonly at: number }

/**
 * Standard base64 as Go reads it: line breaks are skipped, padding is required. Returns the text in its canonical form.
 */
export function canonicalBase64(text: string): Base64 {
  if (isCanonical(text)) return { valid: true, text }
  return canonical(text)
}

const padding = 0x3d
const ascii = new TextDecoder()
/** The two digits for each 12 bits, in memory order. */
const digitPairs = new Uint16Array(
  Uint8Array.from({ length: 2 * 4096 }, (_, at) => digits.charCodeAt(at % 2 === 0 ? at >> 7 : (at >> 1) & 63)).buffer,
)

/** Returns the canonical form. There may be megabytes, and concatenating many parts takes far longer. */
export function base64OfBytes(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  const pairs = new Uint16Array(text.buffer)
  const { length } = bytes
  const whole = length - (length % 3)
  let to = 0
  for (let from = 0; from < whole; from += 3) {
    const group = (Number(bytes[from]) << 16) | (Number(bytes[from + 1]) << 8) | Number(bytes[from + 2])
    pairs[to] = Number(digitPairs[group >> 12])
    pairs[to + 1] = Number(digitPairs[group & 4095])
    to += 2
  }
  if (whole < length) {
    const group = ((bytes[whole] ?? 0) << 16) | ((bytes[whole + 1] ?? 0) << 8)
    pairs[to] = Number(digitPairs[group >> 12])
    pairs[to + 1] = Number(digitPairs[group & 4095])
    text.fill(padding, text.length - (3 - (length % 3)))
  }
  return ascii.decode(text)
}

/** The bytes of a text in canonical form. */
export function bytesOfBase64(canonical: string): Uint8Array {
  const bytes = new Uint8Array((canonical.length / 4) * 3 - paddingOf(canonical))
  let to = 0
  for (let from = 0; from < canonical.length; from += 4) {
    const group =
      (digitAt(canonical, from) << 18) |
      (digitAt(canonical, from + 1) << 12) |
      (digitAt(canonical, from + 2) << 6) |
      digitAt(canonical, from + 3)
    // Bytes for the padding lie beyond the end, where writes have no effect.
    bytes[to++] = group >> 16
    bytes[to++] = group >> 8
    bytes[to++] = group
  }
  return bytes
}

const digitValues: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  Math.max(0, digits.indexOf(String.fromCharCode(code))),
)

function digitAt(text: string, at: number): number {
  return digitValues[text.charCodeAt(at)] ?? 0
}

function isCanonical(text: string): boolean {
  if (text.length % 4 !== 0 || !alphabet.test(text)) return false
  const padding = paddingOf(text)
  return padding === 0 || spareBits(text.charAt(text.length - padding - 1), padding) === 0
}

function paddingOf(text: string): number {
  if (!text.endsWith('=')) return 0
  return text.endsWith('==') ? 2 : 1
}

/** The bits of the last digit that carry no data; an encoder leaves them zero. */
function spareBits(digit: string, padding: number): number {
  return digits.indexOf(digit) & (padding === 2 ? 0x0f : 0x03)
}

function canonical(text: string): Base64 {
  const bare = text.replace(/[\r\n]/g, '')
  const problem = problemAt(text)
  if (problem !== undefined) return { valid: false, at: problem }
  const padding = paddingOf(bare)
  if (padding === 0) return { valid: true, text: bare }
  const last = bare.length - padding - 1
  const value = digits.indexOf(bare.charAt(last))
  const cleared = digits.charAt(value - spareBits(bare.charAt(last), padding))
  return { valid: true, text: bare.slice(0, last) + cleared + '='.repeat(padding) }
}

/** The position that Go reports when it refuses the text. */
function problemAt(text: string): number | undefined {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\r' || char === '\n') continue
    if (char === '=') return paddingProblem(text, at, count % 4)
    if (!digits.includes(char)) return byteOffset(text, at)
    count++
  }
  return count % 4 === 0 ? undefined : byteOffset(text, text.length) - (count % 4)
}

function paddingProblem(text: string, at: number, position: number): number | undefined {
  if (position < 2) return at
  let next = skipBreaks(text, at + 1)
  if (position === 2) {
    if (next >= text.length) return text.length
    if (text.charAt(next) !== '=') return next
    next = skipBreaks(text, next + 1)
  }
  return next < text.length ? next : undefined
}

function skipBreaks(text: string, from: number): number {
  let at = from
  while (text.charAt(at) === '\r' || text.charAt(at) === '\n') at++
  return at
}

function byteOffset(text: string, at: number): number {
  return new TextEncoder().encode(text.slice(0, at)).length
}
