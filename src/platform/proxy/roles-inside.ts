import type { UserInfo } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import type { AccessGrants } from '../projects/access-grants.ts'
import type { ReachedObject } from './reached-object.ts'
import { attributesOn } from './target-authorizer.ts'

export interface RoleParts {
  /** Ignores the scope of any key. */
  readonly owners: Authorizer
  readonly grants: AccessGrants
  readonly managementGroup: string
}

/** The role of a user inside, by the verb they may use on the object from outside. The first match wins. */
const byVerb = [
  ['administer', 'cluster-admin'],
  ['update', 'edit'],
] as const

/**
 * The roles of the user inside: those of `spec.access`, otherwise by the user's rights on the object from outside. So
 * admins of the project get cluster-admin, its users edit, and its viewers view.
 */
export async function rolesInside(
  user: UserInfo,
  object: ReachedObject,
  { owners, grants, managementGroup }: RoleParts,
): Promise<readonly string[]> {
  const named = grants.rolesInside(user, object.resource, object.namespace, object.name)
  if (named.length > 0) return named
  for (const [verb, role] of byVerb) {
    const decision = await owners.authorize(attributesOn(user, verb, managementGroup, object))
    if (decision.verdict === 'allow') return [role]
  }
  return ['view']
}
