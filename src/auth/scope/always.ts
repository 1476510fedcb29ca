import type { Attributes } from '../../api/access.ts'
import { isResourceRequest, targetOf } from './request.ts'

/** Every key may find out who it is, what it may do, and what the platform serves. */
export function isAlwaysGranted(attributes: Attributes, managementGroup: string): boolean {
  if (targetOf(attributes).kind !== 'management') return false
  if (!isResourceRequest(attributes)) return attributes.verb === 'get' && isOpenPath(attributes.path)
  const { group, resource } = attributes
  return (
    (group === managementGroup && resource === 'selves') ||
    (group === 'authentication.k8s.io' && resource === 'selfsubjectreviews') ||
    (group === 'authorization.k8s.io' && selfReviews.has(resource))
  )
}

const selfReviews: ReadonlySet<string> = new Set(['selfsubjectaccessreviews', 'selfsubjectrulesreviews'])
const openPaths = ['/api', '/apis', '/openapi', '/version', '/healthz', '/livez', '/readyz']

function isOpenPath(path: string): boolean {
  return path === '/' || openPaths.some((open) => path === open || path.startsWith(`${open}/`))
}
