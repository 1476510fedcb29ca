import { notFound } from '../../api/error.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import { anyObject, list } from '../../api/schema-builder.ts'
import type { KeyOwner } from '../../auth/keys/contract.ts'
import { Pace } from '../../base/pace.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { caughtUp } from '../../registry/freshness.ts'
import type { ReviewContext, ReviewResource } from '../../server/reviews/contract.ts'
import { isWithinHeld } from '../access-keys/admission/visibility.ts'
import { withLiveActivity } from '../access-keys/life/live-activity.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { specOf } from '../access-keys/record/access-key.ts'

type OwnerKind = 'user' | 'team'
type FindContext = (kind: string) => ResourceContext

const parents = {
  user: { parent: 'users', parentKind: 'User', kind: 'UserAccessKeys' },
  team: { parent: 'teams', parentKind: 'Team', kind: 'TeamAccessKeys' },
} as const

/** `GET …/users/NAME/accesskeys` and `…/teams/NAME/accesskeys`: the keys of one owner, for administrators. */
export function keysOfOwner(owner: OwnerKind, parts: KeyParts, contextOf: FindContext): ReviewResource {
  const { parent, parentKind, kind } = parents[owner]
  const gvk = { group: parts.kind.group, version: parts.kind.version, kind }
  return {
    ...gvk,
    plural: 'accesskeys',
    singular: 'accesskeys',
    namespaced: false,
    parent,
    hasOwnParent: true,
    isRead: true,
    schema: kindSchema(gvk, `The access keys of one ${parentKind}.`, {
      accessKeys: list('The keys, without their values.', anyObject('An OwnedAccessKey.')),
    }),
    review: async (_, context) => {
      const owners = contextOf(parentKind)
      await caughtUp(owners.engine)
      if (owners.cache.get(context) === undefined) throw notFound(owners.kind, context.name)
      const accessKeys = await keysOf({ kind: owner, name: context.name }, contextOf(parts.kind.kind), context, parts)
      return { kind, apiVersion: apiVersionOf(gvk), metadata: { name: context.name }, accessKeys }
    },
  }
}

/** The caller may read the keys of this owner. The scope of the key in use applies as well. */
async function keysOf(owner: KeyOwner, keys: ResourceContext, { user }: ReviewContext, parts: KeyParts) {
  const held = user.credential?.scope?.source
  const shown: KubeObject[] = []
  const pace = new Pace()
  for (const name of parts.keysByOwner.namesOf([owner]).toSorted()) {
    await pace.step()
    const document = keys.cache.get({ namespace: '', name })
    if (document === undefined || !isWithinHeld(held, specOf(document.object).scope, parts)) continue
    shown.push(withLiveActivity(document, parts.index).object)
  }
  return shown
}
