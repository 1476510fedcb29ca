/** The number of UTF-8 bytes of a text. Limits on the wire count bytes. A lone surrogate counts as its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    if (isPairAt(text, index)) index++
  }
  return bytes
}

/** Two UTF-16 units that make four bytes: the first counts for three of them, the second for one. */
function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(index + 1)
  return low >= 0xdc00 && low <= 0xdfff
}
