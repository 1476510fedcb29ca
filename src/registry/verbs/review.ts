import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteRequest } from '../contract.ts'

/** Runs the last check of an admitted object. A refused one leaves nothing behind. */
export async function reviewAdmitted(
  { hooks }: ResourceContext,
  object: KubeObject,
  old: KubeObject | undefined,
  request: WriteRequest,
): Promise<void> {
  if (hooks.review === undefined) return
  try {
    await hooks.review(object, old, request)
  } catch (error) {
    await hooks.abandon?.(object, old)
    throw error
  }
}
