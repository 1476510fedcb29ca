import { checkEscalation } from '../../auth/rbac/escalation.ts'
import type { RbacIndex } from '../../auth/rbac/rbac-index.ts'
import type { Hooks } from '../../registry/context.ts'

/** Nobody hands out rights that they do not have. */
export function escalationHooks(index: RbacIndex): Hooks {
  return {
    admitCreate: async (object, request) => {
      await checkEscalation(index, request, object)
      return { object }
    },
    admitUpdate: async (object, old, request) => {
      await checkEscalation(index, request, object, old.object)
      return { object }
    },
  }
}
