import { forbidden } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { isPlatform } from '../platform-user.ts'

/**
 * Who a virtual cluster is, whether it is linked and where, is the platform's to say: requests are passed on by it. So nobody
 * else writes the status, whatever rights they have.
 */
export function withOwnStatus(kind: Kind, hooks: Hooks): Hooks {
  return {
    ...hooks,
    admitUpdate: async (object, old, request) => {
      refuseStatus(kind, object, old.object, request)
      return (await hooks.admitUpdate?.(object, old, request)) ?? { object }
    },
  }
}

function refuseStatus(kind: Kind, object: KubeObject, old: KubeObject, { user }: WriteRequest): void {
  if (isPlatform(user) || deepEqual(object.status, old.status)) return
  const { name = '' } = object.metadata
  throw forbidden(kind, name, 'the status of a virtual cluster is written by the platform, and by nobody else')
}
