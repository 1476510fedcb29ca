import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import type { ObjectId } from '../document.ts'
import { commitChange } from './commit-change.ts'
import { tracked } from './update.ts'

/**
 * Read, change, write, again if somebody was faster: how the engine itself changes an object. The edit returns
 * undefined when nothing is to be done. Resolves to whether the object was there.
 */
export async function editObject(
  context: ResourceContext,
  id: ObjectId,
  edit: (object: KubeObject) => KubeObject | undefined,
  request: WriteRequest,
): Promise<boolean> {
  let current = context.cache.get(id)
  while (current !== undefined) {
    const before = current.object
    const edited = edit(before)
    if (edited === undefined) return true
    const outcome = await commitChange(context, current, tracked(context, before, edited, request), request)
    if (outcome.outcome === 'done') return true
    current = outcome.current
  }
  return false
}
