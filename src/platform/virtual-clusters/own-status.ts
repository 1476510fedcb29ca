import { forbidden } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { isPlatform } from '../platform-user.ts'

/**
 * The platform routes requests by the status of a virtual cluster: its identity, whether it is linked, and where. So
 * only the platform writes the status; other callers may not, whatever rights they have.
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
  throw forbidden(kind, name, 'only the platform writes the status of a virtual cluster')
}
