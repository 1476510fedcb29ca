import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import { deepEqual } from '../base/equal.ts'
import type { Hooks } from '../registry/context.ts'
import type { WriteRequest } from '../registry/contract.ts'
import { isPlatform } from './platform-user.ts'
import { requireAll, rightsOnObject } from './rights.ts'

/**
 * An object goes with its owners, and at once if they do not exist. So giving it another owner takes what its deletion
 * takes; where `spec.access` may give roles, `bind` too, since the grant that makes a deletion take it may come later.
 */
export function withOwnerReferenceRights(kind: Kind, hooks: Hooks, grants: boolean): Hooks {
  const verbs = grants ? ['delete', 'bind'] : ['delete']
  const requireRights = async (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => {
    if (isPlatform(request.user) || !hasOtherOwners(object, old)) return
    await requireAll(request, rightsOnObject(kind, object, request.user, verbs))
    await hooks.admitDelete?.(old ?? object, request, { dryRun: request.dryRun })
  }
  return {
    ...hooks,
    admitCreate: async (object, request) => {
      await requireRights(object, undefined, request)
      return (await hooks.admitCreate?.(object, request)) ?? { object }
    },
    admitUpdate: async (object, old, request) => {
      await requireRights(object, old.object, request)
      return (await hooks.admitUpdate?.(object, old, request)) ?? { object }
    },
  }
}

/** Also if one that stays is named otherwise: an owner is looked up by its name. */
function hasOtherOwners({ metadata }: KubeObject, old: KubeObject | undefined): boolean {
  const { ownerReferences: owners = [] } = metadata
  return owners.length > 0 && !deepEqual(owners, old?.metadata.ownerReferences)
}
