import type { KubeObject } from '../../api/object.ts'
import { paced } from '../../base/pace.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import type { ObjectId } from '../document.ts'
import { commitChange } from './commit-change.ts'
import { trackedSteps } from './update.ts'
import { writePace } from './write-pace.ts'

/**
 * How the engine itself changes an object: read, change, write, and retry if another write came first. The edit returns
 * undefined if there is nothing to do. Resolves to whether the object existed.
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
    const changed = await paced(trackedSteps(context, before, edited, request), writePace(request))
    const outcome = await commitChange(context, current, changed, request)
    if (outcome.outcome === 'done') return true
    current = outcome.current
  }
  return false
}
