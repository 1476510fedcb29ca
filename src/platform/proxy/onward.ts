import type { RequestTarget } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import type { ForwardTarget } from '../../server/exchange.ts'
import { plainUrl } from '../../server/onward/plain-url.ts'

const prefix = '/kubernetes/'
const name = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

/**
 * The API behind the platform that a request is for, and the request it makes there. Undefined if it is for the
 * platform itself. The onward URL is rebuilt from the parsed parts, so that no upstream reads the path or the query
 * differently.
 */
export function readOnward(url: string): ForwardTarget | undefined {
  if (!url.startsWith(prefix)) return undefined
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const query = question < 0 ? '' : url.slice(question + 1)
  const segments = path.slice(prefix.length).split('/')
  const place = placeOf(segments)
  if (place === undefined) return undefined
  return { target: place.target, url: plainUrl(segments.slice(place.length), query) }
}

interface Place {
  readonly target: RequestTarget
  /** The number of segments that name the target. */
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
  throw badRequest(`the path of the request is not valid: ${JSON.stringify(text)} cannot be the name of an object`)
}
