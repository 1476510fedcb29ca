import { isRefusal } from '../../api/error.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import { platformRequest } from '../platform-user.ts'

const manager = 'sessions'

/** Whether it is gone by this or by something else is the same. */
export async function removeSession(keys: ResourceContext, name: string, uid: string | undefined): Promise<void> {
  const options = { dryRun: false, ...(uid === undefined ? {} : { preconditions: { uid } }) }
  try {
    await deleteObject(keys, { namespace: '', name }, options, platformRequest(manager, new AbortController().signal))
  } catch (error) {
    if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw error
  }
}
