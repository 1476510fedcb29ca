import type { KubeObject } from '../../api/object.ts'
import type { User } from '../../api/types/management.ts'
import type { Hooks } from '../../registry/context.ts'
import { isPlatform } from '../platform-user.ts'

/** Groups from identity providers put a user into teams, so only the platform writes them. */
export function withOwnSignOn(hooks: Hooks): Hooks {
  const { admitUpdate } = hooks
  return {
    ...hooks,
    admitUpdate: (object, old, request) => {
      const kept =
        request.subresource === 'status' && !isPlatform(request.user) ? withSignOnOf(object, old.object) : object
      return admitUpdate?.(kept, old, request) ?? { object: kept }
    },
  }
}

function withSignOnOf(object: KubeObject, old: KubeObject): KubeObject {
  const { signOn: _, ...status } = (object as User).status ?? {}
  const { signOn } = (old as User).status ?? {}
  return { ...object, status: signOn === undefined ? status : { ...status, signOn } }
}
