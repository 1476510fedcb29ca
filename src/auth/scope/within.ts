import type { AccessKeyScope } from '../../api/types/management.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ResourceGrant, ScopeEnvironment, ScopeGrant } from './grant.ts'
import { GrantIndex } from './grant-index.ts'
import { grantsOf, isUnlimited } from './grants.ts'
import { namespacesWithin } from './namespace-pattern.ts'
import { pathsWithin } from './path-pattern.ts'
import { keySubresources } from './privilege.ts'
import { resourcesWithin } from './resource-pattern.ts'
import { targetWithin } from './target-pattern.ts'
import { allowsText, textsWithin } from './texts.ts'

/**
 * Whether a key with the scope `inner` can do nothing that a key with the scope `outer` could not. A single outer grant
 * must cover each inner one: two that only cover it together are not recognized, which errs on the safe side.
 */
export function isWithin(
  inner: AccessKeyScope | undefined,
  outer: AccessKeyScope | undefined,
  environment: ScopeEnvironment,
): boolean {
  if (outer === undefined || isUnlimited(outer)) return true
  if (inner === undefined || isUnlimited(inner)) return false
  if (deepEqual(inner, outer)) return true
  const [wanted, held] = [grantsOf(inner, environment), grantsOf(outer, environment)]
  if (wanted.length + held.length > mostGrants) return false
  const among = new GrantIndex(held)
  const effort = new Effort(mostEffort)
  return wanted.every((each) => {
    effort.add(1)
    return among.mayCover(each).some((other) => {
      effort.add(effortOf(each, other))
      return !effort.isSpent && grantWithin(each, other, environment)
    })
  })
}

const mostGrants = 3_000

/**
 * Limit of the effort of a comparison, about 20 ms, so that no key can keep the server busy. Above it, neither scope
 * counts as within the other.
 */
const mostEffort = 100_000

class Effort {
  #left: number

  constructor(most: number) {
    this.#left = most
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  add(amount: number): void {
    this.#left -= amount
  }
}

/** Texts and resources are looked up one by one; paths are compared in pairs. */
function effortOf(inner: ScopeGrant, outer: ScopeGrant): number {
  const texts = 2 + (inner.verbs?.size ?? 0)
  if (inner.form === 'path' || outer.form === 'path') {
    return texts + (inner.form === outer.form ? pathsIn(inner) * pathsIn(outer) : 0)
  }
  const { groups, resources, names, namespaces } = inner
  const named = (groups?.size ?? 0) + (names?.size ?? 0) + (namespaces?.names.size ?? 0)
  const looked = outer.resources === undefined ? 0 : (resources?.length ?? 0) + outer.resources.length
  return texts + named + looked
}

function pathsIn(grant: ScopeGrant): number {
  return grant.form === 'path' ? (grant.paths?.length ?? 0) : 0
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

/** Whether a grant that may return access keys names a resource that does. */
function reachesKeys({ target, groups, resources }: ResourceGrant, { managementGroup }: ScopeEnvironment): boolean {
  if (target.kind !== 'management' || !allowsText(groups, managementGroup)) return false
  return resources === undefined || resources.some(({ child }) => child === undefined || keySubresources.has(child))
}
