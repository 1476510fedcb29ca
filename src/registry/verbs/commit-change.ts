import { ApiError } from '../../api/error.ts'
import type { JsonObject, KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Admitted, ResourceContext } from '../context.ts'
import type { Document, WriteAnswer, WriteRequest } from '../contract.ts'
import { type StoredDocument, sealedBytes, unstoredDocument } from '../document.ts'
import { equalIgnoringManagedFieldsTimes } from '../fields/equal.ts'
import { requireRoom, storeRemoved, storeUpdated, type UnstoredWrite } from '../stored-write.ts'
import { isReadyToGo } from './deletion-plan.ts'
import { requireOwnerPermission } from './owner-permission.ts'
import { prepareChange } from './prepare-change.ts'
import { reviewAdmitted } from './review.ts'
import { checkChanged } from './validation.ts'
import { writePace } from './write-pace.ts'

export type ChangeOutcome =
  | { readonly outcome: 'done'; readonly answer: WriteAnswer }
  /** Another write came first; `current` is the stored object now. */
  | { readonly outcome: 'again'; readonly current: StoredDocument | undefined }

/** The last steps of update, patch and apply: prepare, check, admit, and write if anything changed. */
export async function commitChange(
  context: ResourceContext,
  current: StoredDocument,
  tracked: KubeObject,
  request: WriteRequest,
): Promise<ChangeOutcome> {
  const pace = writePace(request)
  const old = current.object
  const { mutate, permit, inspect } = context.hooks
  const mutated = mutate === undefined ? tracked : await mutate(inNamespaceOf(old, tracked), old, request)
  const prepared = prepareChange(context.kind, mutated, old, request.subresource)
  await pace.step()
  if (permit !== undefined) await permit(prepared, old, request)
  await checkChanged(context.kind, prepared, old, request)
  await pace.step()
  await requireOwnerPermission(context, prepared, old, request)
  if (inspect !== undefined) await inspect(prepared, old, request)
  const admitted = (await context.hooks.admitUpdate?.(prepared, { object: old, sealed: opened(current) }, request)) ?? {
    object: prepared,
  }
  await reviewAdmitted(context, admitted.object, old, request)
  const isUnchanged = changesNothing(current, old, admitted)
  await pace.step()
  const carryOut = request.dryRun ? dryRun : commit
  try {
    return await carryOut(context, { current, old, admitted, isUnchanged }, request)
  } catch (error) {
    if (error instanceof ApiError) await context.hooks.abandon?.(admitted.object, old)
    throw error
  }
}

/** A body may omit the namespace, but rules apply to it. */
function inNamespaceOf({ metadata: { namespace } }: KubeObject, object: KubeObject): KubeObject {
  if (namespace === undefined || object.metadata.namespace === namespace) return object
  return { ...object, metadata: { ...object.metadata, namespace } }
}

interface PlannedChange {
  readonly current: StoredDocument
  readonly old: KubeObject
  readonly admitted: Admitted
  readonly isUnchanged: boolean
}

async function dryRun(
  context: ResourceContext,
  { current, old, admitted, isUnchanged }: PlannedChange,
  request: WriteRequest,
): Promise<ChangeOutcome> {
  await requireRoom(context, plannedChange(current, old, admitted), request)
  await context.hooks.abandon?.(admitted.object, old)
  if (isUnchanged) return done(current)
  const { object } = admitted
  const metadata = { ...object.metadata, resourceVersion: current.resourceVersion }
  return done(unstoredDocument({ ...object, metadata }))
}

async function commit(
  context: ResourceContext,
  { current, old, admitted, isUnchanged }: PlannedChange,
  request: WriteRequest,
): Promise<ChangeOutcome> {
  const { object } = admitted
  if (isUnchanged) return done(revealed(current, admitted))
  if (isReadyToGo(context.kind, object, context.engine.clock.now())) {
    const removed = await storeRemoved(context, current, object)
    return removed.outcome === 'written' ? done(unstoredDocument(object)) : again(removed.current)
  }
  const stored = await storeUpdated(context, current, plannedChange(current, old, admitted), request)
  if (stored.outcome === 'written') return done(revealed(stored.document, admitted))
  await context.hooks.abandon?.(object, old)
  return again(stored.current)
}

function changesNothing(current: StoredDocument, old: KubeObject, { object, sealed }: Admitted): boolean {
  return equalIgnoringManagedFieldsTimes(object, old) && (sealed === undefined || deepEqual(sealed, opened(current)))
}

function plannedChange(current: StoredDocument, old: KubeObject, { object, sealed }: Admitted): UnstoredWrite {
  return {
    id: current,
    object,
    sealed: sealed === undefined ? current.sealed : sealedBytes(sealed),
    old: { object: old, sealed: current.sealed, bytes: current.bytes },
  }
}

function opened({ sealed }: StoredDocument): JsonObject | undefined {
  return sealed === undefined ? undefined : JSON.parse(sealed.toString())
}

/** Content that is shown only to this caller, and only now. */
export function revealed(document: Document, { reveal }: Admitted): Document {
  return reveal === undefined ? document : unstoredDocument(reveal(document.object))
}

function done(document: WriteAnswer['document']): ChangeOutcome {
  return { outcome: 'done', answer: { document, created: false } }
}

function again(current: StoredDocument | undefined): ChangeOutcome {
  return { outcome: 'again', current }
}
