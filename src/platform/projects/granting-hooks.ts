import type { ResourceAttributes } from '../../api/access.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { requireAll } from '../access-keys/rights.ts'
import { isPlatform } from '../platform-user.ts'
import { type AccessGrant, grantsOf } from './access-grants.ts'

/**
 * Nobody hands on by `spec.access` what they may not do themselves: a verb takes that verb on the object, and a role inside
 * takes `bind` on it, which admins of the project have. Whoever makes an object decides about it.
 */
export function grantingHooks(kind: Kind): Hooks {
  return {
    admitUpdate: async (object, old, request) => {
      if (!isPlatform(request.user)) await requireAll(request, neededFor(kind, object, old.object, request))
      return { object }
    },
  }
}

function neededFor(
  { group, version, plural }: Kind,
  object: KubeObject,
  old: KubeObject,
  { user }: WriteRequest,
): readonly ResourceAttributes[] {
  const { name = '', namespace = '' } = object.metadata
  const before = grantsOf(old)
  const added = grantsOf(object).filter((grant) => !before.some((each) => deepEqual(each, grant)))
  const verbs = new Set(added.flatMap(verbsHandedOn))
  return [...verbs].map((verb) => ({ user, verb, group, version, resource: plural, subresource: '', namespace, name }))
}

function verbsHandedOn({ verbs, clusterRole }: AccessGrant): readonly string[] {
  return clusterRole === '' ? verbs : [...verbs, 'bind']
}
