import { methodNotAllowed } from '../../api/error.ts'
import type { Handler, RouteEndpoint } from '../exchange.ts'
import type { PathInfo } from '../request-info.ts'

/** Paths that are not resources. A prefix ends in a slash and takes everything below it. */
export interface PathRoute {
  readonly path: string
  readonly handler: Handler
}

export type FindPath = (info: PathInfo) => RouteEndpoint | undefined

export function pathFinder(routes: readonly PathRoute[]): FindPath {
  const exact = new Map(routes.map(({ path, handler }) => [path, { handler, readsBody: false }]))
  const prefixes = routes.filter(({ path }) => path.length > 1 && path.endsWith('/'))
  return (info) => {
    const found = exact.get(info.path) ?? below(info.path, prefixes)
    if (found !== undefined && info.verb !== 'get' && info.verb !== 'head') throw methodNotAllowed()
    return found
  }
}

function below(path: string, prefixes: readonly PathRoute[]): RouteEndpoint | undefined {
  const found = prefixes.find((route) => path.startsWith(route.path))
  return found === undefined ? undefined : { handler: found.handler, readsBody: false }
}

export function pathList(routes: readonly PathRoute[], groupPaths: readonly string[]): readonly string[] {
  const plain = routes.map(({ path }) => path).filter((path) => path !== '/' && !path.endsWith('/'))
  return [...new Set([...plain, ...groupPaths])].sort()
}
