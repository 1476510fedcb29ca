import { isRefusal } from '../../api/error.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import { platformRequest } from '../platform-user.ts'

const manager = 'sessions'

/** It does not matter whether this call or another one removed it. */
export async function removeSession(keys: ResourceContext, name: string, uid: string | undefined): Promise<void> {
  const options = { dryRun: false, ...(uid === undefined ? {} : { preconditions: { uid } }) }
  try {
    await deleteObject(keys, { namespace: '', name }, options, platformRequest(manager, new AbortController().signal))
  } catch (error) {
    if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw error
  }
}
