import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import { deepEqual } from '../base/equal.ts'
import type { Hooks } from '../registry/context.ts'
import type { WriteRequest } from '../registry/contract.ts'
import { isPlatform } from './platform-user.ts'
import { requireAll, rightsOnObject } from './rights.ts'

/**
 * An object is deleted with its owners, at once if they do not exist. So changing its owners takes the right to delete
 * it; where `spec.access` may grant roles, also `bind`, because a grant that makes deletion require it may come later.
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

/** Also true if an owner is only renamed: owners are looked up by name. */
function hasOtherOwners({ metadata }: KubeObject, old: KubeObject | undefined): boolean {
  const { ownerReferences: owners = [] } = metadata
  return owners.length > 0 && !deepEqual(owners, old?.metadata.ownerReferences)
}
