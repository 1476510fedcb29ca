import { methodNotAllowed } from '../../api/error.ts'
import type { Handler, RouteEndpoint } from '../exchange.ts'
import type { PathInfo } from '../request/request-info.ts'

/** A path that is not a resource. A prefix ends in a slash and matches everything below it. */
export interface PathRoute {
  readonly path: string
  readonly handler: Handler
  /** The methods served besides GET; only HEAD by default. */
  readonly methods?: 'all' | 'GET'
}

export type FindPath = (info: PathInfo) => RouteEndpoint | undefined

export function pathFinder(routes: readonly PathRoute[]): FindPath {
  const exact = new Map(routes.map((route) => [route.path, route]))
  const prefixes = routes.filter(({ path }) => path.length > 1 && path.endsWith('/'))
  return (info) => {
    const found = exact.get(info.path) ?? prefixes.find(({ path }) => info.path.startsWith(path))
    if (found === undefined) return undefined
    if (!answers(found, info.verb)) throw methodNotAllowed()
    return { handler: found.handler, readsBody: false }
  }
}

function answers({ methods }: PathRoute, verb: string): boolean {
  return verb === 'get' || methods === 'all' || (verb === 'head' && methods !== 'GET')
}

export function pathList(routes: readonly PathRoute[], groupPaths: readonly string[]): readonly string[] {
  const plain = routes.map(({ path }) => path).filter((path) => path !== '/' && !path.endsWith('/'))
  return [...new Set([...plain, ...groupPaths])].sort()
}
