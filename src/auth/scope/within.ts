import type { AccessKeyScope } from '../../api/types/management.ts'
import type { ResourceGrant, ScopeEnvironment, ScopeGrant } from './grant.ts'
import { grantsOf, isUnlimited } from './grants.ts'
import { namespacesWithin } from './namespace-pattern.ts'
import { pathsWithin } from './path-pattern.ts'
import { keySubresources } from './privilege.ts'
import { resourcesWithin } from './resource-pattern.ts'
import { targetWithin } from './target-pattern.ts'
import { allowsText, textsWithin } from './texts.ts'

/**
 * Whether a key with the scope `inner` can do nothing that a key with the scope `outer` could not. A single grant has to
 * cover each of the inner ones: two that only cover it together are not recognized, which errs on the safe side.
 */
export function isWithin(
  inner: AccessKeyScope | undefined,
  outer: AccessKeyScope | undefined,
  environment: ScopeEnvironment,
): boolean {
  if (outer === undefined || isUnlimited(outer)) return true
  if (inner === undefined || isUnlimited(inner)) return false
  const held = grantsOf(outer, environment)
  return grantsOf(inner, environment).every((each) => held.some((other) => grantWithin(each, other, environment)))
}

function grantWithin(inner: ScopeGrant, outer: ScopeGrant, environment: ScopeEnvironment): boolean {
  if (!targetWithin(inner.target, outer.target) || !textsWithin(inner.verbs, outer.verbs)) return false
  if (inner.form === 'path') return outer.form === 'path' && pathsWithin(inner.paths, outer.paths)
  return outer.form === 'resource' && objectsWithin(inner, outer, environment)
}

function objectsWithin(inner: ResourceGrant, outer: ResourceGrant, environment: ScopeEnvironment): boolean {
  return (
    textsWithin(inner.groups, outer.groups) &&
    resourcesWithin(inner.resources, outer.resources) &&
    textsWithin(inner.names, outer.names) &&
    namespacesWithin(inner.namespaces, outer.namespaces) &&
    privilegeWithin(inner, outer, environment)
  )
}

function privilegeWithin(inner: ResourceGrant, outer: ResourceGrant, environment: ScopeEnvironment): boolean {
  switch (inner.privilege) {
    case 'ordinary':
      return true
    case 'links':
      return outer.privilege === 'links'
    case 'keys':
      return outer.privilege === 'keys' || !reachesKeys(inner, environment)
  }
}

/** Whether a grant that may hand out access keys names anything that does. */
function reachesKeys({ target, groups, resources }: ResourceGrant, { managementGroup }: ScopeEnvironment): boolean {
  if (target.kind !== 'management' || !allowsText(groups, managementGroup)) return false
  return resources === undefined || resources.some(({ child }) => child === undefined || keySubresources.has(child))
}
