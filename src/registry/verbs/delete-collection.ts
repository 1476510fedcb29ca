import { isRefusal } from '../../api/error.ts'
import { Pace } from '../../base/pace.ts'
import type { ResourceContext } from '../context.ts'
import type { DeletionPolicy, Document, ListAnswer, ListRequestOptions, Target, WriteRequest } from '../contract.ts'
import { mayBeOwnKey } from '../unrevoked.ts'
import { deleteObject, warnOfOrphans } from './delete.ts'
import { listForDeletion } from './list.ts'

/** How many deletions of one request run at the same time. */
const concurrency = 16

/**
 * Not atomic: an object that disappears meanwhile is no error, and one that is created meanwhile may stay. It ends when
 * the key of the request is revoked, so that key itself is deleted last. Returns the state before the deletion.
 */
export async function deleteCollection(
  context: ResourceContext,
  target: Target,
  selection: ListRequestOptions,
  options: DeletionPolicy,
  request: WriteRequest,
): Promise<ListAnswer> {
  warnOfOrphans(context.kind, options, request)
  const listed = await listForDeletion(context, target, selection)
  const isOwn = ({ name }: Document) => mayBeOwnKey(request.user, name)
  const waiting = listed.documents.filter((document) => !isOwn(document))
  const pace = new Pace()
  const workers = Array.from({ length: concurrency }, async () => {
    for (let document = waiting.pop(); document !== undefined; document = waiting.pop()) {
      await pace.step()
      await deleteIfThere(context, document, options, request)
    }
  })
  await Promise.all(workers)
  for (const document of listed.documents.filter(isOwn)) await deleteIfThere(context, document, options, request)
  return listed
}

async function deleteIfThere(
  context: ResourceContext,
  document: Document,
  options: DeletionPolicy,
  request: WriteRequest,
): Promise<void> {
  try {
    await deleteObject(context, document, options, request)
  } catch (error) {
    if (!isRefusal(error, 404)) throw error
  }
}
