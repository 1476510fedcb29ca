const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  return remainder
})

/**
 * CRC-32 of the first `length` characters of an ASCII text. The one in `node:zlib` converts the text to bytes first,
 * which takes longer than this for a text as short as a key, and it runs for every request.
 */
export function crc32OfStart(text: string, length: number): number {
  let crc = -1
  for (let at = 0; at < length; at++) crc = (crc >>> 8) ^ (table[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0)
  return ~crc >>> 0
}
