import type { Attributes } from '../../api/access.ts'
import { isResourceRequest } from './request.ts'

/** Steps and characters that an upstream might resolve to another place than the one that was checked. */
const ambiguous = /(?:^|\/)\.{1,2}(?:\/|$)|\/\/|[\\%]/

/** Whether the request says where it goes in the only way in which it can be said. */
export function isPlain(attributes: Attributes): boolean {
  if (!isResourceRequest(attributes)) return !ambiguous.test(attributes.path)
  const { namespace, resource, subresource, name } = attributes
  return !isStep(namespace) && !isStep(resource) && !isStep(subresource) && !isStep(name)
}

function isStep(text: string): boolean {
  return text === '.' || text === '..'
}
