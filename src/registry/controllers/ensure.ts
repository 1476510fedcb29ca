import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import { createObject } from '../verbs/create.ts'

/** Creates the object unless one with that name exists. */
export async function ensureObject(context: ResourceContext, object: KubeObject, request: WriteRequest): Promise<void> {
  const { namespace = '', name = '' } = object.metadata
  if (context.cache.get({ namespace, name }) !== undefined) return
  try {
    await createObject(context, { namespace }, { value: object, duplicateFields: [], text: '' }, request)
  } catch (error) {
    if (!(error instanceof ApiError && error.status.reason === 'AlreadyExists')) throw error
  }
}
