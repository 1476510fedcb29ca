import type { Attributes, RequestTarget, ResourceAttributes } from '../../api/access.ts'
import type { ResourceGrant, ScopeEnvironment, ScopeGrant } from './grant.ts'
import type { Namespaces } from './namespace-pattern.ts'
import { allowsPath } from './path-pattern.ts'
import { hasPrivilege, privilegeOf } from './privilege.ts'
import { isResourceRequest, targetOf } from './request.ts'
import { allowsResource } from './resource-pattern.ts'
import { allowsTarget } from './target-pattern.ts'
import { allowsText } from './texts.ts'

/** The first grant that covers the request. */
export function grantFor(
  grants: readonly ScopeGrant[],
  attributes: Attributes,
  environment: ScopeEnvironment,
): ScopeGrant | undefined {
  const target = targetOf(attributes)
  for (const grant of grants) if (matches(grant, attributes, target, environment)) return grant
  return undefined
}

function matches(
  grant: ScopeGrant,
  attributes: Attributes,
  target: RequestTarget,
  environment: ScopeEnvironment,
): boolean {
  if (!allowsTarget(grant.target, target) || !allowsText(grant.verbs, attributes.verb)) return false
  if (isResourceRequest(attributes)) {
    return grant.form === 'resource' && matchesResource(grant, attributes, target, environment)
  }
  return grant.form === 'path' && allowsPath(grant.paths, attributes.path)
}

function matchesResource(
  grant: ResourceGrant,
  attributes: ResourceAttributes,
  target: RequestTarget,
  environment: ScopeEnvironment,
): boolean {
  return (
    allowsText(grant.groups, attributes.group) &&
    allowsResource(grant.resources, attributes.resource, attributes.subresource) &&
    allowsText(grant.names, attributes.name) &&
    matchesNamespace(grant.namespaces, attributes, target, environment) &&
    hasPrivilege(grant.privilege, privilegeOf(attributes, environment.managementGroup))
  )
}

function matchesNamespace(
  namespaces: Namespaces,
  attributes: ResourceAttributes,
  target: RequestTarget,
  environment: ScopeEnvironment,
): boolean {
  if (namespaces === undefined || namespaces.names.has(attributes.namespace)) return true
  return namespaces.outside && livesOutside(attributes, target, environment)
}

/**
 * A request for all namespaces and one for an object outside namespaces both name none, so the resource must tell which
 * it is. A request for a namespace itself names that namespace.
 */
function livesOutside(
  { group, resource, namespace }: ResourceAttributes,
  target: RequestTarget,
  { isClusterScoped }: ScopeEnvironment,
): boolean {
  if (group === '' && resource === 'namespaces') return true
  return namespace === '' && isClusterScoped(group, resource, target) === true
}
