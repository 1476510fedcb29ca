/** Remembers the results of a function for the latest `most` texts, where computing costs more than a lookup. */
export function rememberingRecent<T>(most: number, of: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.value
    const value = of(text)
    known.set(text, { value })
    const [oldest] = known.size > most ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return value
  }
}
