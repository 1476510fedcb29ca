/** Query parameters, read as Go reads them: what cannot be decoded is dropped. */
export interface Query {
  /** The first value, `''` for a name without one, undefined when absent. */
  get(name: string): string | undefined
  all(name: string): readonly string[]
  has(name: string): boolean
}

export const emptyQuery: Query = { get: () => undefined, all: () => [], has: () => false }

export function parseQuery(text: string): Query {
  return text === '' ? emptyQuery : queryOf(decodePairs(text))
}

function queryOf(values: ReadonlyMap<string, readonly string[]>): Query {
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    has: (name) => values.has(name),
  }
}

function decodePairs(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const equals = pair.indexOf('=')
    const name = decodeComponent(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decodeComponent(pair.slice(equals + 1))
    if (name === undefined || value === undefined) continue
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

function decodeComponent(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return percentDecoded(spaced)
}

/** Undefined for a broken escape or bytes that are no UTF-8. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
