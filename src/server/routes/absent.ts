import { notFound, unknownResource } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { Catalog } from '../discovery/catalog.ts'
import type { RouteEndpoint } from '../exchange.ts'
import type { RequestInfo } from '../request/request-info.ts'
import { pageNotFound } from '../responses/responses.ts'

const plainAnswer: RouteEndpoint = { handler: pageNotFound, readsBody: false }

/**
 * The answer where nothing is served. In groups of built-in kinds it is a Status, for a missing subresource of a custom
 * kind the object is reported as not found, and everywhere else it is plain text.
 */
export function absentEndpoint(info: RequestInfo, kind: Kind | undefined, catalog: Catalog): RouteEndpoint {
  if (kind?.flavor === 'custom' && isSubresource(info, kind)) throw notFound(kind, info.pathName)
  const group = info.form === 'resource' ? info.group : groupOf(info.path)
  if (group !== undefined && isBuiltinGroup(catalog, group)) throw unknownResource()
  return plainAnswer
}

function isSubresource(info: RequestInfo, kind: Kind): info is RequestInfo & { readonly form: 'resource' } {
  return (
    info.form === 'resource' && info.subresource !== '' && !info.hasRest && kind.namespaced === (info.namespace !== '')
  )
}

function groupOf(path: string): string | undefined {
  const [, root, group] = path.split('/')
  if (root === 'api') return ''
  return root === 'apis' ? group : undefined
}

function isBuiltinGroup({ groups }: Catalog, name: string): boolean {
  const group = groups.find((each) => each.name === name)
  return group?.versions.some(({ resources }) => resources.some(({ flavor }) => flavor === 'builtin')) ?? false
}
