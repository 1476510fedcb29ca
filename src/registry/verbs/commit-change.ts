import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import type { WriteAnswer, WriteRequest } from '../contract.ts'
import { type StoredDocument, unstoredDocument } from '../document.ts'
import { equalIgnoringManagedFieldsTimes } from '../fields/equal.ts'
import { storeChanged, storeRemoved } from '../stored-write.ts'
import { isReadyToGo } from './deletion-plan.ts'
import { requireOwnerPermission } from './owner-permission.ts'
import { prepareChange } from './prepare-change.ts'
import { checkChanged } from './validation.ts'

export type ChangeOutcome =
  | { readonly outcome: 'done'; readonly answer: WriteAnswer }
  /** Somebody else was faster; `current` is what stands there now. */
  | { readonly outcome: 'again'; readonly current: StoredDocument | undefined }

/** The end that update, patch and apply share: prepare, check, admit, and write if anything changed. */
export async function commitChange(
  context: ResourceContext,
  current: StoredDocument,
  tracked: KubeObject,
  request: WriteRequest,
): Promise<ChangeOutcome> {
  const old = current.object
  const prepared = prepareChange(context.kind, tracked, old, request.subresource)
  checkChanged(context.kind, prepared, old, request)
  await requireOwnerPermission(context, prepared, old, request)
  const object = (await context.hooks.admitUpdate?.(prepared, old, request)) ?? prepared
  if (equalIgnoringManagedFieldsTimes(object, old)) return done(current)
  if (request.dryRun) {
    await context.hooks.abandon?.(object, old)
    return done(unstoredDocument(object))
  }
  if (isReadyToGo(context.kind, object, context.engine.clock.now())) {
    const removed = await storeRemoved(context, current, object)
    return removed.outcome === 'written' ? done(unstoredDocument(object)) : again(removed.current)
  }
  const stored = await storeChanged(context, current, object)
  if (stored.outcome === 'written') return done(stored.document)
  await context.hooks.abandon?.(object, old)
  return again(stored.current)
}

function done(document: WriteAnswer['document']): ChangeOutcome {
  return { outcome: 'done', answer: { document, created: false } }
}

function again(current: StoredDocument | undefined): ChangeOutcome {
  return { outcome: 'again', current }
}
