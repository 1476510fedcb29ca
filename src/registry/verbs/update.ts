import type { ParsedBody } from '../../api/decode/contract.ts'
import { badRequest, conflict, notFound, resourceVersionRequired } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { paced } from '../../base/pace.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import type { ResourceContext } from '../context.ts'
import type { NamedTarget, WriteAnswer, WriteRequest } from '../contract.ts'
import type { StoredDocument } from '../document.ts'
import { emptiedLists } from '../fields/emptied-lists.ts'
import { trackSteps } from '../fields/track.ts'
import { caughtUp } from '../freshness.ts'
import { ifVisible, visibilityFor } from '../visibility.ts'
import { commitChange } from './commit-change.ts'
import { createObject } from './create.ts'
import { requireCreatePermission } from './create-permission.ts'
import { decodeBody, restAfterReading } from './decode-body.ts'
import { defaultedChange } from './defaulted-change.ts'
import { withDistinctOwners } from './distinct-owners.ts'
import { sentRevision } from './read-options.ts'
import { uidMismatch } from './uid-mismatch.ts'
import { writePace } from './write-pace.ts'
import { writtenInTurn } from './written-in-turn.ts'

export async function updateObject(
  context: ResourceContext,
  target: NamedTarget,
  body: ParsedBody,
  request: WriteRequest,
): Promise<WriteAnswer> {
  const pace = writePace(request)
  await restAfterReading(body, pace)
  const sent = withDistinctOwners(decodeBody(context.kind, body, request), request)
  requireSameName(sent, target)
  await pace.step()
  await caughtUp(context.engine)
  const visibility = await visibilityFor(context, request.user)
  return writtenInTurn(context, target, request, async (stored) => {
    const current = ifVisible(stored, visibility)
    if (current === undefined)
      return { outcome: 'done', answer: await createInstead(context, target, body, sent, request) }
    requireSameUid(context, sent, current, request)
    requireResourceVersion(context, sent, current)
    const changed = await paced(trackedSteps(context, current.object, sent, request), pace)
    await pace.step()
    return commitChange(context, current, changed, request)
  })
}

/** The object as sent and defaulted, with the fields that it changes owned by the writer. */
export function tracked(
  context: ResourceContext,
  before: KubeObject,
  sent: KubeObject,
  request: WriteRequest,
): KubeObject {
  return atOnce(trackedSteps(context, before, sent, request))
}

/** An empty manager name leaves the owners of all fields unchanged. */
export const noManager = ''

/** `tracked` in steps. */
export function* trackedSteps(
  context: ResourceContext,
  before: KubeObject,
  sent: KubeObject,
  request: WriteRequest,
): Steps<KubeObject> {
  const after = defaultedChange(context.kind, sent, before)
  yield
  if (request.fieldManager === noManager) return after
  return yield* trackSteps({
    kind: context.kind,
    before,
    after,
    emptied: request.subresource === '' ? emptiedLists(sent, after) : undefined,
    manager: request.fieldManager,
    subresource: request.subresource,
    nowMs: context.engine.clock.now(),
  })
}

export function requireSameName(sent: KubeObject, target: NamedTarget): void {
  const { namespace } = sent.metadata
  if (target.namespace !== '' && namespace !== undefined && namespace !== '' && namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  const name = sent.metadata.name ?? ''
  if (name === '') {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`)
  }
  if (name !== target.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`)
  }
}

/** Optimistic concurrency: the writer must have read the current object. */
export function requireResourceVersion(context: ResourceContext, sent: KubeObject, current: StoredDocument): void {
  const resourceVersion = sent.metadata.resourceVersion ?? ''
  if (resourceVersion === current.resourceVersion) return
  if (sentRevision(resourceVersion) > 0) throw conflict(context.kind, current.name)
  if (context.kind.allowsUnconditionalUpdate) return
  throw resourceVersionRequired(context.kind, current.name)
}

function requireSameUid(
  context: ResourceContext,
  sent: KubeObject,
  current: StoredDocument,
  request: WriteRequest,
): void {
  const { uid } = sent.metadata
  if (uid === undefined || uid === '') return
  if (uid === current.object.metadata.uid) return
  throw conflict(context.kind, current.name, uidMismatch(context.kind, current.object, uid, request.dryRun))
}

async function createInstead(
  context: ResourceContext,
  target: NamedTarget,
  body: ParsedBody,
  sent: KubeObject,
  request: WriteRequest,
): Promise<WriteAnswer> {
  if (!context.kind.allowsCreateOnUpdate || request.subresource !== '') throw notFound(context.kind, target.name)
  await requireCreatePermission(context, target, request)
  const { resourceVersion = '', uid = '', ...metadata } = sent.metadata
  sentRevision(resourceVersion)
  if (uid !== '') {
    const absent = {
      ...sent,
      metadata: { ...metadata, ...(target.namespace !== '' && { namespace: target.namespace }) },
    }
    throw conflict(context.kind, target.name, uidMismatch(context.kind, absent, uid, request.dryRun))
  }
  return createObject(context, target, { ...body, value: { ...sent, metadata }, duplicateFields: [] }, request)
}
