/** The reference tokens of an RFC 6901 pointer; undefined if the text is not a pointer. The root has none. */
export function parsePointer(text: string): readonly string[] | undefined {
  if (text === '') return []
  if (!text.startsWith('/')) return undefined
  return text.slice(1).split('/').map(unescapeToken)
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

const indexPattern = /^[+-]?\d{1,10}$/

/**
 * The position that a token names in a list of that length. As in Kubernetes, -1 is the last one. Undefined: the
 * position does not exist.
 */
export function arrayIndex(token: string, length: number): number | undefined {
  if (!indexPattern.test(token)) return undefined
  const number = Number(token)
  const index = number < 0 ? number + length : number
  return index >= 0 && index < length ? index : undefined
}
