import { tooLarge } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import { type Store, StoreUnavailable, type WriteResult } from '../storage/contract.ts'
import { raiseFormat } from '../storage/format/raise-format.ts'
import { largeIntegersFormat } from '../storage/format/store-format.ts'
import type { AlikeWrites } from './alike-writes.ts'
import type { PlannedWrite, ResourceContext } from './context.ts'
import type { WriteRequest } from './contract.ts'
import { holdsLargeInteger, type ObjectId, StoredDocument, toStoredBytes } from './document.ts'
import type { Reservation } from './quota/ledger.ts'
import { requireUnrevoked } from './unrevoked.ts'

/** For one object. */
export const maxStoredBytes = 1_572_864

/** The result of a guarded write: the new document, or the existing one (absent if there is none). */
export type Stored =
  | { readonly outcome: 'written'; readonly document: StoredDocument }
  | { readonly outcome: 'conflict'; readonly current: StoredDocument | undefined }

export type UnstoredWrite = Omit<PlannedWrite, 'bytes'>

/** Writes return only when the caches have seen them, so that the writer's next read sees them too. */
export async function storeNew(context: ResourceContext, write: UnstoredWrite, request: WriteRequest): Promise<Stored> {
  const { id } = write
  const bytes = encoded(context.kind, write.object, write.sealed, request.alike)
  return withRoom(context, { ...write, bytes: bytes.length }, request, async () => {
    await noteLargeIntegers(context, bytes)
    return settled(context, id, bytes, await context.engine.store.create(context.cache.storageKey(id), bytes))
  })
}

/** A change that counts toward the caller's limits. */
export async function storeUpdated(
  context: ResourceContext,
  current: StoredDocument,
  write: UnstoredWrite,
  request: WriteRequest,
): Promise<Stored> {
  const bytes = encoded(context.kind, write.object, write.sealed)
  return withRoom(context, { ...write, bytes: bytes.length }, request, () => replaced(context, current, bytes))
}

/** A change by the server itself: there is always room for it. */
export async function storeChanged(
  context: ResourceContext,
  current: StoredDocument,
  object: KubeObject,
  sealed = current.sealed,
): Promise<Stored> {
  return replaced(context, current, encoded(context.kind, object, sealed))
}

/** Throws if there is no room for the write. Reserves none. */
export async function requireRoom(
  context: ResourceContext,
  write: UnstoredWrite,
  request: WriteRequest,
): Promise<void> {
  if (context.hooks.reserve === undefined) return
  const bytes = encoded(context.kind, write.object, write.sealed).length
  await withRoom(context, { ...write, bytes }, request, async () => {})
}

async function withRoom<T>(
  { hooks }: ResourceContext,
  write: PlannedWrite,
  request: WriteRequest,
  carryOut: () => Promise<T>,
): Promise<T> {
  requireUnrevoked(request.user)
  const reserved = hooks.reserve?.(write, request)
  const reservation = reserved instanceof Promise ? await reserved : reserved
  try {
    const result = await carryOut()
    reservation?.release()
    return result
  } catch (error) {
    if (reservation !== undefined) giveBack(reservation, error)
    throw error
  }
}

function giveBack(reservation: Reservation, error: unknown): void {
  const isUnconfirmed = error instanceof StoreUnavailable && error.outcomeUnknown
  if (isUnconfirmed && reservation.unconfirmed !== undefined) reservation.unconfirmed()
  else reservation.release()
}

async function replaced(context: ResourceContext, current: StoredDocument, bytes: Buffer): Promise<Stored> {
  const key = context.cache.storageKey(current)
  await noteLargeIntegers(context, bytes)
  return settled(context, current, bytes, await context.engine.store.update(key, bytes, current.revision))
}

const storesThatHoldLarge = new WeakSet<Store>()

/** Before the first such integer is written, the store's format is raised: an older program would round the integer. */
async function noteLargeIntegers({ engine: { store } }: ResourceContext, bytes: Buffer): Promise<void> {
  if (!holdsLargeInteger(bytes) || storesThatHoldLarge.has(store)) return
  await raiseFormat(store, largeIntegersFormat)
  storesThatHoldLarge.add(store)
}

export async function storeRemoved(
  context: ResourceContext,
  current: StoredDocument,
  last: KubeObject,
): Promise<Stored> {
  const key = context.cache.storageKey(current)
  const removed = await settled(
    context,
    current,
    toStoredBytes(context.kind, last, current.sealed),
    await context.engine.store.delete(key, current.revision),
  )
  if (removed.outcome === 'written') await context.hooks.removed?.(last)
  return removed
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

function encoded(kind: Kind, object: KubeObject, sealed: Buffer | undefined, alike?: AlikeWrites): Buffer {
  const bytes = toStoredBytes(kind, object, sealed, alike)
  if (bytes.length <= maxStoredBytes) return bytes
  throw tooLarge(`Request entity too large: the object takes ${bytes.length} bytes, limit is ${maxStoredBytes}`)
}
