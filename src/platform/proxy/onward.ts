import type { RequestTarget } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import type { Onward } from '../../server/exchange.ts'

const prefix = '/kubernetes/'
const name = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

/**
 * Which API behind the platform a request is for, and what it asks there. Undefined when it is for the platform itself.
 * What goes on is rebuilt from the parts that are looked at here, so that nobody further on reads the path differently.
 */
export function readOnward(url: string): Onward | undefined {
  if (!url.startsWith(prefix)) return undefined
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const query = question < 0 ? '' : url.slice(question)
  const segments = path.slice(prefix.length).split('/')
  const place = placeOf(segments)
  if (place === undefined) return undefined
  return { target: place.target, url: plainPath(segments.slice(place.length)) + query }
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
  for (const segment of segments) refuseTricks(segment)
  const parts = segments.filter((segment) => segment !== '')
  const isFolder = parts.length > 0 && segments.at(-1) === ''
  return `/${parts.join('/')}${isFolder ? '/' : ''}`
}

function refuseTricks(segment: string): void {
  const plain = decoded(segment)
  if (plain === undefined || plain === '.' || plain === '..' || /[/\\\0]/.test(plain)) {
    throw badRequest(
      "the path of the request has to be in its plain form: without '.', '..', '%2F', '\\' and broken escapes",
    )
  }
}

function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    const once = decodeURIComponent(segment)
    // What would be something else again if somebody decoded it twice.
    return /%[0-9a-f]{2}/i.test(once) ? undefined : once
  } catch {
    return undefined
  }
}
