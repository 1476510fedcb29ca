/** The recommended spelling (RFC 5952) of an IPv6 address given as its eight groups. */
export function canonicalIPv6(groups: readonly number[]): string {
  const { start, length } = longestZeroRun(groups)
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (length < 2) return text(groups)
  return `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`
}

function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1
    else if (index - start + 1 > best.length) best = { start, length: index - start + 1 }
  }
  return best
}
