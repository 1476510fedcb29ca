import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { pause } from '../../base/pause.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import { caughtUp } from '../freshness.ts'
import { ensureObject } from './ensure.ts'

const attempts = 50
const pauseMs = 200

/**
 * Like `ensureObject` when several servers start at once: another one may hold a value that the object needs, such as
 * its address, without having written it yet. Waits for that server's object.
 */
export async function ensureAmongReplicas(
  context: ResourceContext,
  object: KubeObject,
  request: WriteRequest,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await caughtUp(context.engine)
      return await ensureObject(context, object, request)
    } catch (error) {
      if (!isRefusal(error, 422) || context.engine.store.soleWriter || attempt === attempts) throw error
      await pause(pauseMs, request.signal)
    }
  }
}
