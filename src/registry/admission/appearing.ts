import type { ResourceContext } from '../context.ts'
import type { ObjectId, StoredDocument } from '../document.ts'

/** Resolves with the object once it exists; undefined if it does not appear in time, or the request has ended. */
export function appearing(
  { cache }: ResourceContext,
  id: ObjectId,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<StoredDocument | undefined> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      unlisten()
      signal.removeEventListener('abort', finish)
      resolve(cache.get(id))
    }
    const timer = setTimeout(finish, timeoutMs)
    const unlisten = cache.listen(() => {
      if (cache.get(id) !== undefined) finish()
    })
    signal.addEventListener('abort', finish)
    if (cache.get(id) !== undefined || signal.aborted) finish()
  })
}
