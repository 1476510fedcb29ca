/** Header fields for HTTP/2, each as a literal without indexing: longer on the wire, but without a table to maintain. */
export function encodeHeaders(fields: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), encodeText(name), encodeText(value)]))
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([encodeLength(bytes.length), bytes])
}

/** An integer with a prefix of seven bits. */
function encodeLength(length: number): Buffer {
  if (length < 127) return Buffer.of(length)
  const bytes = [127]
  let rest = length - 127
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128)
  return Buffer.of(...bytes, rest)
}

/** `:status: 200` is one byte; an encoder may announce the size of its table before it. */
export function startsWithStatus200(block: Buffer): boolean {
  let at = 0
  while (((block[at] ?? 0) & 0xe0) === 0x20) at += 1
  return block[at] === 0x88
}
