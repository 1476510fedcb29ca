const maxTotalCharacters = 4096
const cutCharacters = 256

/** `Warning` header values: quoted as in RFC 7234, without duplicates, cut if they are too long. */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  const cleaned = [...new Set(texts.map(printable))].filter((text) => text !== '')
  const total = cleaned.reduce((sum, text) => sum + [...text].length, 0)
  const fitting = total > maxTotalCharacters ? withinTotal(cleaned.map(cut)) : cleaned
  return fitting.map((text) => `299 - ${quotedString(text)}`)
}

function withinTotal(texts: readonly string[]): readonly string[] {
  let left = maxTotalCharacters
  return texts.filter((text) => {
    left -= [...text].length
    return left >= 0
  })
}

function cut(text: string): string {
  return [...text].slice(0, cutCharacters).join('')
}

/** A header line cannot carry control characters. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
}

function quotedString(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return `"${Buffer.from(escaped, 'utf8').toString('latin1')}"`
}
