import { rbacGroup } from '../../api/core/rbac/role.ts'
import { teamGroup, userGroup } from '../../auth/keys/key-owner.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { KeysByOwner } from '../access-keys/record/keys-by-owner.ts'

export interface NamingParts {
  readonly contexts: () => readonly ResourceContext[]
  readonly keysByOwner: Pick<KeysByOwner, 'namesOf'>
  readonly managementGroup: string
}

/**
 * Whether permissions, memberships, keys or other users already refer to the name. A new user or team would receive
 * whatever was granted to its name, and at a provider users may choose their names. A name that has another meaning
 * there counts, too.
 */
export function isNamedElsewhere(name: string, { contexts, keysByOwner, managementGroup }: NamingParts): boolean {
  const owners = (['user', 'subject'] as const).map((kind) => ({ kind, name }))
  if (keysByOwner.namesOf(owners).length > 0) return true
  const texts = [name, userGroup(name), teamGroup(name)].map((each) => JSON.stringify(each))
  return contexts()
    .filter(({ kind }) => kind.kind !== 'OwnedAccessKey' && [managementGroup, rbacGroup].includes(kind.group))
    .some(({ cache }) =>
      [...cache.current().values()].some(({ itemJson }) => texts.some((text) => itemJson.includes(text))),
    )
}
