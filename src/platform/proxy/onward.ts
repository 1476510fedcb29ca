import type { RequestTarget } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import type { Onward } from '../../server/exchange.ts'
import { parseQuery, percentDecoded, printQuery, type QueryParameter } from '../../server/query.ts'

const prefix = '/kubernetes/'
const name = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

/** Parameters that decide access. Only the first of each is passed on, so the upstream acts on what was checked. */
const decisive: ReadonlySet<string> = new Set(['watch', 'fieldSelector'])

/**
 * Which API behind the platform a request is for, and what it asks there. Undefined when it is for the platform itself.
 * The onward URL is rebuilt from what was parsed here, so that no upstream reads the path or the query differently.
 */
export function readOnward(url: string): Onward | undefined {
  if (!url.startsWith(prefix)) return undefined
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const query = question < 0 ? '' : url.slice(question + 1)
  const segments = path.slice(prefix.length).split('/')
  const place = placeOf(segments)
  if (place === undefined) return undefined
  const rest = plainPath(segments.slice(place.length)) + printQuery(withoutSecond(parseQuery(query).pairs))
  return { target: place.target, url: rest }
}

function withoutSecond(pairs: readonly QueryParameter[]): readonly QueryParameter[] {
  const seen = new Set<string>()
  return pairs.filter(([name]) => {
    if (seen.has(name)) return false
    if (decisive.has(name)) seen.add(name)
    return true
  })
}

interface Place {
  readonly target: RequestTarget
  /** How many segments name it. */
  readonly length: number
}

function placeOf([root, first = '', kind, second = '']: readonly string[]): Place | undefined {
  if (root === 'cluster') return { target: { kind: 'cluster', cluster: named(first) }, length: 2 }
  if (root !== 'project') return undefined
  if (kind === 'virtualcluster') {
    const target = { kind: 'virtual-cluster', project: named(first), virtualCluster: named(second) } as const
    return { target, length: 4 }
  }
  if (kind !== 'space') return undefined
  return { target: { kind: 'space', project: named(first), space: named(second) }, length: 4 }
}

function named(text: string): string {
  if (name.test(text)) return text
  throw badRequest(`the path of the request names nothing: ${JSON.stringify(text)} is no name of an object`)
}

/** Doubled slashes are one, as API servers read them. What two readers may take for different paths is refused. */
function plainPath(segments: readonly string[]): string {
  const parts = segments.filter((segment) => segment !== '').map(plainSegment)
  const isFolder = parts.length > 0 && segments.at(-1) === ''
  return `/${parts.map(encoded).join('/')}${isFolder ? '/' : ''}`
}

/** Segments that an upstream might not read as a plain name, even if it decodes them once more. */
const trick = /^\.\.?$|[/\\\0]|%[0-9a-f]{2}/i

/** Decoded. */
function plainSegment(segment: string): string {
  const plain = percentDecoded(segment)
  if (plain !== undefined && !trick.test(plain)) return plain
  throw badRequest(
    "the path of the request has to be in its plain form: without '.', '..', '%2F', '\\' and broken escapes",
  )
}

/** What may stand in a path as it is does. */
function encoded(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
}
