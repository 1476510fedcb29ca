import { forbiddenPath } from '../../api/error.ts'
import type { RequestInfo } from '../../server/request/request-info.ts'

/** Reviews that concern only the caller. */
const selfReviews: ReadonlySet<string> = new Set([
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'selfsubjectreviews',
])

const openPaths = /^\/(api|apis|openapi|version|livez|readyz|healthz)(\/|$)|^\/$/

/** A space is one namespace of a cluster: refuses requests for anything else. */
export function requireConfined(info: RequestInfo, namespace: string): void {
  if (info.form === 'path') {
    if (openPaths.test(info.path)) return
    throw outside(info.path, namespace)
  }
  if (info.resource === 'namespaces') {
    if (info.pathName === namespace && info.subresource === '' && info.verb === 'get') return
    throw outside('namespaces', namespace)
  }
  if (info.namespace === namespace && !info.legacyWatch) return
  if (info.namespace === '' && selfReviews.has(info.resource) && info.verb === 'create') return
  throw outside(info.resource, namespace)
}

function outside(what: string, namespace: string) {
  return forbiddenPath(
    `forbidden: ${what} is outside of the space, which is the namespace ${JSON.stringify(namespace)}`,
  )
}
