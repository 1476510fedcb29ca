/** `a`, `a and b`, `a, b and c`. */
export function andList(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

export function countedWord(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** A name that the API accepts, from a display name. */
export function nameFrom(text: string): string {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return name.slice(0, 40).replaceAll(/^-+|-+$/g, '')
}

/** The words that the user searches for, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}
