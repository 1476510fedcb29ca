const simple: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  '?': 63,
  '"': 34,
  "'": 39,
  '`': 96,
}

const escapeSequence =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\?"'`]))/y

/** The value of a string literal; undefined if an escape is invalid. A bytes literal yields bytes. */
export function unescaped(text: string, isBytes: boolean): string | Uint8Array | undefined {
  if (!text.includes('\\')) return isBytes ? new TextEncoder().encode(text) : text
  const parts: Part[] = []
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\\', at)
    if (next !== at) parts.push(text.slice(at, next === -1 ? undefined : next))
    if (next === -1) break
    escapeSequence.lastIndex = next
    const match = escapeSequence.exec(text)
    const code = match === null ? undefined : codeOf(match, isBytes)
    if (match === null || code === undefined) return undefined
    parts.push(code)
    at = next + match[0].length
  }
  return isBytes
    ? bytesOf(parts)
    : parts.map((each) => (typeof each === 'string' ? each : String.fromCodePoint(each))).join('')
}

type Part = string | number

function codeOf([, x, X, u, U, octal, letter]: RegExpExecArray, isBytes: boolean): number | undefined {
  if (letter !== undefined) return simple[letter]
  if (octal !== undefined) return Number.parseInt(octal, 8)
  const unicode = u ?? U
  if (unicode !== undefined && isBytes) return undefined
  const code = Number.parseInt(x ?? X ?? unicode ?? '', 16)
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code > 0x10ffff || (unicode !== undefined && isSurrogate) ? undefined : code
}

function bytesOf(parts: readonly Part[]): Uint8Array {
  const encoder = new TextEncoder()
  const bytes = parts.flatMap((each) => (typeof each === 'string' ? [...encoder.encode(each)] : [each]))
  return Uint8Array.from(bytes)
}
