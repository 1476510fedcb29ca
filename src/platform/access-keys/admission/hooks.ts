import type { KubeObject } from '../../../api/object.ts'
import type { Hooks } from '../../../registry/context.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import { owningCallerOf } from '../../owners/caller.ts'
import { isPlatform } from '../../platform-user.ts'
import { managing, requireAll, requireWithinScope } from '../../rights.ts'
import { withLiveActivity } from '../life/live-activity.ts'
import type { KeyParts } from '../parts.ts'
import { isSameOwner, ownerOf, specOf } from '../record/access-key.ts'
import { withFoldedLogin } from '../record/folded-login.ts'
import { admitNewKey } from './admit-create.ts'
import { admitKeyChange } from './admit-update.ts'
import { keyVisibility } from './visibility.ts'

export function accessKeyHooks(parts: KeyParts): Hooks {
  return {
    admitCreate: (object, request) => admitNewKey(object, request, parts),
    admitUpdate: (object, old, request) => admitKeyChange(object, old, request, parts),
    present: (document) => withLiveActivity(withFoldedLogin(document), parts.index),
    admitDelete: (object, request) => admitKeyDeletion(object, request, parts),
    visibility: (user) => (isPlatform(user) ? undefined : keyVisibility(user, parts)),
  }
}

/** Callers may delete their own keys; deleting the keys of others takes a right. */
async function admitKeyDeletion(object: KubeObject, request: WriteRequest, parts: KeyParts): Promise<void> {
  const { user } = request
  if (isPlatform(user)) return
  const { kind, directory, index, environment } = parts
  const spec = specOf(object)
  requireWithinScope(kind, object.metadata.name ?? '', user, spec.scope, environment)
  const owner = ownerOf(spec)
  const isOwn = owningCallerOf(user, directory, index).own.some((each) => isSameOwner(each, owner))
  if (owner !== undefined && !isOwn)
    await requireAll(request, managing(user, 'delete', owner, environment.managementGroup))
}
