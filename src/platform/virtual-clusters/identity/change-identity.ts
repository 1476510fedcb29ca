import type { KubeObject } from '../../../api/object.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import { type ObjectId, type StoredDocument, sealedBytes } from '../../../registry/document.ts'
import { storeChanged } from '../../../registry/stored-write.ts'
import { tracked } from '../../../registry/verbs/update.ts'
import { platformRequest } from '../../platform-user.ts'
import { type SealedIdentity, sealedIdentityForm, sealedIdentityOf } from './sealed-identity.ts'

const manager = 'identity'

export interface IdentityChange {
  readonly identity: SealedIdentity
  readonly object: KubeObject
}

/**
 * The only function that writes the identity of a virtual cluster. `change` is called again whenever another write came
 * first, and returns undefined to leave everything as it is. Resolves to whether the change was made.
 */
export async function changeIdentity(
  instances: ResourceContext,
  id: ObjectId,
  change: (current: StoredDocument) => IdentityChange | undefined,
): Promise<boolean> {
  const request = platformRequest(manager, new AbortController().signal, 'status')
  let current = instances.cache.get(id)
  while (current !== undefined) {
    const changed = change(current)
    if (changed === undefined) return false
    const [sealed, before] = [sealedIdentityForm(changed.identity), current.object]
    if (deepEqual(changed.object, before) && deepEqual(sealed, sealedIdentityForm(sealedIdentityOf(current))))
      return true
    const object = tracked(instances, before, changed.object, request)
    const stored = await storeChanged(instances, current, object, sealedBytes(sealed))
    if (stored.outcome === 'written') return true
    current = stored.current
  }
  return false
}
