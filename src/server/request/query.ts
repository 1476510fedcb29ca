import { badRequest } from '../../api/error.ts'

/**
 * Query parameters as Go parses them. Input that Go would drop, or that another parser might read differently, is
 * refused.
 */
export interface Query {
  /** The first value, `''` for a name without a value, undefined if absent. */
  get(name: string): string | undefined
  all(name: string): readonly string[]
  has(name: string): boolean
  /** All parameters, in their original order. */
  readonly pairs: readonly QueryParameter[]
}

export type QueryParameter = readonly [name: string, value: string]

export const emptyQuery: Query = { get: () => undefined, all: () => [], has: () => false, pairs: [] }

/** Throws a 400 for a query that cannot be parsed. */
export function parseQuery(text: string): Query {
  return text === '' ? emptyQuery : queryOf(parametersIn(text))
}

/** A query that every parser reads as these parameters, with its question mark; empty if there are none. */
export function printQuery(pairs: readonly QueryParameter[]): string {
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`
}

function queryOf(pairs: readonly QueryParameter[]): Query {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    has: (name) => values.has(name),
    pairs,
  }
}

/** As in Go. Each takes time, and a URL or form has room for many more. */
const mostParameters = 10_000

function parametersIn(text: string): readonly QueryParameter[] {
  const pairs = text.split('&', mostParameters + 1)
  if (pairs.length > mostParameters) throw badRequest(`a query or form may have at most ${mostParameters} parameters`)
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      if (pair.includes(';')) throw badRequest("the query of the request holds ';', which must be written as %3B")
      const equals = pair.indexOf('=')
      const name = decoded(equals < 0 ? pair : pair.slice(0, equals))
      return [name, equals < 0 ? '' : decoded(pair.slice(equals + 1))]
    })
}

function decoded(text: string): string {
  const plain = percentDecoded(text.includes('+') ? text.replaceAll('+', ' ') : text)
  if (plain !== undefined) return plain
  throw badRequest('the query of the request holds an invalid percent escape, or one of bytes that are no UTF-8')
}

/** Undefined for a broken escape or invalid UTF-8. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
