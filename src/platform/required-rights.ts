import type { ResourceAttributes, UserInfo } from '../api/access.ts'
import type { KubeObject } from '../api/object.ts'
import type { Hooks } from '../registry/context.ts'
import type { WriteRequest } from '../registry/contract.ts'
import { isPlatform } from './platform-user.ts'
import { requireAll } from './rights.ts'

/** The rights that a write takes besides the right to write. `old` is absent for a new object. */
export type NeededRights = (
  object: KubeObject,
  old: KubeObject | undefined,
  user: UserInfo,
) => readonly ResourceAttributes[]

/** Refuses a writer who lacks one of the rights that the object requires. The platform itself is exempt. */
export function requiringRights(
  needed: NeededRights,
  require: (
    request: WriteRequest,
    rights: readonly ResourceAttributes[],
    object: KubeObject,
  ) => Promise<void> = requireAll,
): Pick<Required<Hooks>, 'admitCreate' | 'admitUpdate'> {
  const admit = async (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => {
    if (!isPlatform(request.user)) await require(request, needed(object, old, request.user), object)
    return { object }
  }
  return {
    admitCreate: (object, request) => admit(object, undefined, request),
    admitUpdate: (object, old, request) => admit(object, old.object, request),
  }
}
