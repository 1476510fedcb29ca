import { tooLarge } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import type { WriteResult } from '../storage/contract.ts'
import type { ResourceContext } from './context.ts'
import { type ObjectId, StoredDocument, toStoredBytes } from './document.ts'

const maxStoredBytes = 1_572_864

/** What came of a guarded write: the new document, or what stands there instead (absent when nothing does). */
export type Stored =
  | { readonly outcome: 'written'; readonly document: StoredDocument }
  | { readonly outcome: 'conflict'; readonly current: StoredDocument | undefined }

/** Writes return only when the caches have seen them, so that the writer's next read sees them too. */
export async function storeNew(
  context: ResourceContext,
  id: ObjectId,
  object: KubeObject,
  sealed: Buffer | undefined,
): Promise<Stored> {
  const bytes = encoded(context.kind, object, sealed)
  return settled(context, id, bytes, await context.engine.store.create(context.cache.storageKey(id), bytes))
}

export async function storeChanged(
  context: ResourceContext,
  current: StoredDocument,
  object: KubeObject,
  sealed = current.sealed,
): Promise<Stored> {
  const bytes = encoded(context.kind, object, sealed)
  const key = context.cache.storageKey(current)
  return settled(context, current, bytes, await context.engine.store.update(key, bytes, current.revision))
}

export async function storeRemoved(
  context: ResourceContext,
  current: StoredDocument,
  last: KubeObject,
): Promise<Stored> {
  const key = context.cache.storageKey(current)
  return settled(
    context,
    current,
    toStoredBytes(context.kind, last, current.sealed),
    await context.engine.store.delete(key, current.revision),
  )
}

async function settled(
  context: ResourceContext,
  id: ObjectId,
  bytes: Uint8Array,
  result: WriteResult,
): Promise<Stored> {
  if (result.outcome === 'conflict') {
    const { current } = result
    return { outcome: 'conflict', current: current === undefined ? undefined : context.cache.document(current) }
  }
  await context.engine.feed.reached(result.revision)
  const cached = context.cache.get(id)
  const isOurs = cached?.revision === result.revision
  return {
    outcome: 'written',
    document: isOurs ? cached : new StoredDocument(context.kind, id, bytes, result.revision),
  }
}

function encoded(kind: Kind, object: KubeObject, sealed: Buffer | undefined): Buffer {
  const bytes = toStoredBytes(kind, object, sealed)
  if (bytes.length <= maxStoredBytes) return bytes
  throw tooLarge(`Request entity too large: the object takes ${bytes.length} bytes, limit is ${maxStoredBytes}`)
}
