import { badRequest } from '../../api/error.ts'
import { parseQuery, percentDecoded, printQuery, type QueryParameter } from '../request/query.ts'

/** Parameters that decide access. Only the first of each is forwarded, so the upstream acts on what was checked. */
const decisive: ReadonlySet<string> = new Set(['watch', 'fieldSelector'])

/** Path and query in a form that every API server reads alike: rebuilt from what was parsed here. */
export function plainUrl(segments: readonly string[], query: string): string {
  return plainPath(segments) + printQuery(withoutSecond(parseQuery(query).pairs))
}

function withoutSecond(pairs: readonly QueryParameter[]): readonly QueryParameter[] {
  const seen = new Set<string>()
  return pairs.filter(([name]) => {
    if (seen.has(name)) return false
    if (decisive.has(name)) seen.add(name)
    return true
  })
}

/** Doubled slashes count as one, as in API servers. Paths that could be read differently are refused. */
function plainPath(segments: readonly string[]): string {
  const parts = segments.filter((segment) => segment !== '').map(plainSegment)
  const isFolder = parts.length > 0 && segments.at(-1) === ''
  return `/${parts.map(encoded).join('/')}${isFolder ? '/' : ''}`
}

/** Segments that an upstream might not read as a plain name, even if it decodes them once more. */
const trick = /^\.\.?$|[/\\\0]|%[0-9a-f]{2}/i

/** The decoded segment. */
function plainSegment(segment: string): string {
  const plain = percentDecoded(segment)
  if (plain !== undefined && !trick.test(plain)) return plain
  throw badRequest(
    "the path of the request must be in its plain form: without '.', '..', '%2F', '\\' and broken escapes",
  )
}

/** Characters that are allowed in a path are not escaped. */
function encoded(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
}
