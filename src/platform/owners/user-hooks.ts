import type { ResourceAttributes } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { asGroups, isPrivileged, requireAll } from '../access-keys/rights.ts'
import { isPlatform } from '../platform-user.ts'
import { storedUser } from './stored-owner.ts'

/** Whoever may write users does not for that reason become an administrator: what a user is made takes the right to be it. */
export function userHooks(): Hooks {
  return {
    admitCreate: async (object, request) => {
      await requireRights(object, undefined, request)
      return { object }
    },
    admitUpdate: async (object, old, request) => {
      await requireRights(object, old.object, request)
      return { object }
    },
  }
}

async function requireRights(object: KubeObject, old: KubeObject | undefined, request: WriteRequest): Promise<void> {
  if (isPlatform(request.user)) return
  const now = storedUser(object)
  const before = old === undefined ? undefined : storedUser(old)
  const added = now.groups.filter((group) => isPrivileged(group) && before?.groups.includes(group) !== true)
  const becomes = now.subject !== (before?.subject ?? now.name) ? [asSubject(request, now.subject)] : []
  await requireAll(request, [...asGroups(request.user, added), ...becomes])
}

function asSubject({ user }: WriteRequest, name: string): ResourceAttributes {
  const nothingElse = { version: '', subresource: '', namespace: '' }
  return { user, verb: 'impersonate', group: '', resource: 'users', name, ...nothingElse }
}
