import { conflict, notFound, type Status } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import type { DeleteAnswer, DeletionPolicy, NamedTarget, WriteRequest } from '../contract.ts'
import { type StoredDocument, unstoredDocument } from '../document.ts'
import { caughtUp } from '../freshness.ts'
import { storeChanged, storeRemoved } from '../stored-write.ts'
import { isOwnKey, requireUnrevoked } from '../unrevoked.ts'
import { ifVisible, visibilityFor } from '../visibility.ts'
import { planDeletion } from './deletion-plan.ts'
import { tracked } from './update.ts'

export interface DeletionOptions extends DeletionPolicy {
  /** An additional change in the write that marks the object for deletion; undefined: none. */
  readonly whileMarking?: (object: KubeObject) => KubeObject | undefined
}

export async function deleteObject(
  context: ResourceContext,
  target: NamedTarget,
  options: DeletionOptions,
  request: WriteRequest,
): Promise<DeleteAnswer> {
  warnOfOrphans(context.kind, options, request)
  await caughtUp(context.engine)
  const visibility = await visibilityFor(context, request.user)
  let current = ifVisible(context.cache.get(target), visibility)
  for (;;) {
    if (current === undefined) throw notFound(context.kind, target.name)
    const object = current.object
    requirePreconditions(context.kind, object, options)
    await context.hooks.admitDelete?.(object, request, options)
    if (!isOwnKey(request.user, object)) requireUnrevoked(request.user)
    const outcome = await carryOut(context, current, object, options, request)
    if (outcome.outcome === 'done') return outcome.answer
    current = ifVisible(outcome.current, visibility)
  }
}

export function warnOfOrphans({ orphaningWarning }: Kind, options: DeletionPolicy, request: WriteRequest): void {
  const isSaid = options.propagationPolicy !== undefined || options.orphanDependents !== undefined
  if (orphaningWarning !== undefined && !isSaid) request.warn(orphaningWarning)
}

type Outcome =
  | { readonly outcome: 'done'; readonly answer: DeleteAnswer }
  | { readonly outcome: 'again'; readonly current: StoredDocument | undefined }

async function carryOut(
  context: ResourceContext,
  current: StoredDocument,
  object: KubeObject,
  options: DeletionOptions,
  request: WriteRequest,
): Promise<Outcome> {
  const plan = planDeletion(context.kind, object, options, context.engine.clock.now())
  const dryRun = options.dryRun || request.dryRun
  if (plan.action === 'wait') return done({ code: pendingCode(options), document: current })
  if (plan.action === 'mark') {
    if (dryRun) return done({ code: pendingCode(options), document: unstoredDocument(plan.object) })
    const changed = options.whileMarking?.(plan.object)
    const marked = changed === undefined ? plan.object : tracked(context, plan.object, changed, request)
    const stored = await storeChanged(context, current, marked)
    return stored.outcome === 'written'
      ? done({ code: pendingCode(options), document: stored.document })
      : { outcome: 'again', current: stored.current }
  }
  if (!dryRun) {
    const marked = plan.isMarkedFirst ? await storeChanged(context, current, plan.object) : undefined
    if (marked?.outcome === 'conflict') return { outcome: 'again', current: marked.current }
    const last = marked?.document
    const removed = await storeRemoved(context, last ?? current, last?.object ?? object)
    if (removed.outcome === 'conflict') return { outcome: 'again', current: removed.current }
  }
  return done(
    context.kind.deleteAnswer === 'object'
      ? { code: 200, document: plan.object === object ? current : unstoredDocument(plan.object) }
      : { code: 200, status: deletedStatus(context.kind, object) },
  )
}

function done(answer: DeleteAnswer): Outcome {
  return { outcome: 'done', answer }
}

function pendingCode(options: DeletionPolicy): 200 | 202 {
  return options.orphanDependents === false ? 202 : 200
}

function requirePreconditions(kind: Kind, object: KubeObject, options: DeletionPolicy): void {
  const { uid, resourceVersion } = options.preconditions ?? {}
  const { metadata } = object
  if (kind.group === '' && kind.plural === 'namespaces') requireOfNamespace(kind, object, options)
  const named = { plural: kind.kind, group: kind.group }
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      named,
      metadata.name ?? '',
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      named,
      metadata.name ?? '',
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

/** Namespaces are refused in other words, which name the resource. */
function requireOfNamespace(kind: Kind, { metadata }: KubeObject, { preconditions = {} }: DeletionPolicy): void {
  const { uid, resourceVersion } = preconditions
  const refused = (what: string, wanted: string, found: string | undefined) =>
    conflict(
      kind,
      metadata.name ?? '',
      `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
    )
  if (uid !== undefined && uid !== metadata.uid) throw refused('UID', uid, metadata.uid)
  if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion) return
  throw refused('ResourceVersion', resourceVersion, metadata.resourceVersion)
}

function deletedStatus(kind: Kind, object: KubeObject): Status {
  const { name, uid } = object.metadata
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      ...(name === undefined ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      ...(uid === undefined ? {} : { uid }),
    },
  }
}
