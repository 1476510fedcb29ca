/** The length that the head of an answer states, from a flat list of headers. */
export function lengthIn(headers: readonly string[]): number | undefined {
  const at = indexOfHeader(headers, 'content-length')
  return at < 0 ? undefined : Number(headers[at + 1])
}

/** The headers without the length. */
export function withoutLength(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !isNamed(headers[index - (index % 2)], 'content-length'))
}

function indexOfHeader(headers: readonly string[], name: string): number {
  for (let index = 0; index < headers.length; index += 2) if (isNamed(headers[index], name)) return index
  return -1
}

function isNamed(header: string | undefined, name: string): boolean {
  return header?.length === name.length && header.toLowerCase() === name
}
