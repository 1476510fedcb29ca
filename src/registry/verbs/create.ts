import type { ParsedBody } from '../../api/decode/contract.ts'
import { ApiError, alreadyExists, badRequest, beingDeleted, generateNameExhausted } from '../../api/error.ts'
import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import { timestamp } from '../../base/clock.ts'
import { paced } from '../../base/pace.ts'
import type { Admitted, ResourceContext } from '../context.ts'
import type { Target, WriteAnswer, WriteRequest } from '../contract.ts'
import { sealedBytes, unstoredDocument } from '../document.ts'
import { emptiedLists } from '../fields/emptied-lists.ts'
import { trackSteps } from '../fields/track.ts'
import { generatedName } from '../generated-name.ts'
import { requireRoom, storeNew, type UnstoredWrite } from '../stored-write.ts'
import { revealed } from './commit-change.ts'
import { decodeBody, restAfterReading } from './decode-body.ts'
import { defaultedNew } from './defaulted-change.ts'
import { withDistinctOwners } from './distinct-owners.ts'
import { requireLiveNamespace } from './namespace-check.ts'
import { requireOwnerPermission } from './owner-permission.ts'
import { reviewAdmitted } from './review.ts'
import { checkNew } from './validation.ts'
import { writePace } from './write-pace.ts'

/** How often a generated name is regenerated if it is taken. */
const nameAttempts = 8

export async function createObject(
  context: ResourceContext,
  target: Target,
  body: ParsedBody,
  request: WriteRequest,
): Promise<WriteAnswer> {
  return createPrepared(context, await trackedNew(context, target, body, request), request)
}

/**
 * The sent object with its defaults and the owners of its fields. It depends on the body, the writer and the second of
 * the write, and for kinds without a template on nothing else: Pods with the same content may share it.
 */
export async function trackedNew(
  context: ResourceContext,
  target: Target,
  body: ParsedBody,
  request: WriteRequest,
): Promise<KubeObject> {
  const pace = writePace(request)
  await restAfterReading(body, pace)
  const decoded = withDistinctOwners(decodeBody(context.kind, body, request), request)
  await pace.step()
  const sent = withoutDeletion(inNamespace(context, decoded, target))
  const defaulted = defaultedNew(context, sent)
  await pace.step()
  const steps = trackSteps({
    kind: context.kind,
    before: undefined,
    after: defaulted,
    emptied: emptiedLists(sent, defaulted),
    manager: request.fieldManager,
    subresource: '',
    nowMs: context.engine.clock.now(),
  })
  return paced(steps, pace)
}

/**
 * The rest of a create, once the owners of the fields are known. An apply of a new object ends here too: the address of
 * the request names the object, so the name must stay.
 */
export async function createPrepared(
  context: ResourceContext,
  tracked: KubeObject,
  request: WriteRequest,
  nameInAddress = '',
): Promise<WriteAnswer> {
  const pace = writePace(request)
  requireLiveNamespace(context, tracked.metadata)
  await pace.step()
  const { mutate, permit, inspect, admitCreate } = context.hooks
  const mutated = mutate === undefined ? tracked : await mutate(tracked, undefined, request)
  requireSameNamespace(mutated, tracked.metadata.namespace)
  requireGivenName(mutated, nameInAddress)
  const stamped = withServerMetadata(context, mutated)
  const generates = (stamped.metadata.name ?? '') === '' && (stamped.metadata.generateName ?? '') !== ''
  for (const text of context.kind.strategy.warningsBefore?.(stamped) ?? []) request.warn(text)
  for (let attempt = 1; ; attempt += 1) {
    const prepared = prepare(context, generates ? withGeneratedName(context, stamped) : stamped)
    await pace.step()
    if (permit !== undefined)
      await permit(generates ? { ...prepared, metadata: stamped.metadata } : prepared, undefined, request)
    await checkNew(context.kind, prepared, request)
    await pace.step()
    if (prepared.metadata.ownerReferences !== undefined) {
      await requireOwnerPermission(context, prepared, undefined, request)
    }
    if (inspect !== undefined) await inspect(prepared, undefined, request)
    const admitted = admitCreate === undefined ? { object: prepared } : await admitCreate(prepared, request)
    await reviewAdmitted(context, admitted.object, undefined, request)
    const answer = await writeOrAbandon(context, admitted, request)
    if (!(answer instanceof ApiError)) return answer
    await context.hooks.abandon?.(admitted.object)
    if (!generates) throw answer
    if (attempt === nameAttempts) throw generateNameExhausted(context.kind, prepared.metadata.name ?? '')
  }
}

function inNamespace(context: ResourceContext, object: KubeObject, target: Target): KubeObject {
  const { namespace } = object.metadata
  if (!context.kind.namespaced) return namespace === undefined ? object : withoutNamespace(object)
  if (namespace === target.namespace) return object
  if (namespace !== undefined && namespace !== '') requireSameNamespace(object, target.namespace)
  return { ...object, metadata: { ...object.metadata, namespace: target.namespace } }
}

function requireSameNamespace({ metadata }: KubeObject, namespace: string | undefined): void {
  if (metadata.namespace === namespace) return
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

function requireGivenName({ metadata }: KubeObject, name: string): void {
  if (name === '' || metadata.name === name) return
  throw badRequest(`the name of the object (${name}) may not be changed by an admission webhook`)
}

function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function refuseResourceVersion(object: KubeObject): void {
  if ((object.metadata.resourceVersion ?? '') === '') return
  throw badRequest('resourceVersion should not be set on objects to be created')
}

/** Old manifests still contain a selfLink, which is no longer used. */
type SentMetadata = ObjectMeta & { readonly selfLink?: unknown }

function withServerMetadata(context: ResourceContext, object: KubeObject): KubeObject {
  const sent = serverOwned.some((name) => name in object.metadata)
    ? withoutServerOwned(object.metadata)
    : object.metadata
  // In one step: each separate addition to a copy costs one or two microseconds.
  const metadata = Object.assign({}, sent, {
    uid: context.engine.random.uuid(),
    creationTimestamp: timestamp(context.engine.clock.now()),
    ...generationOf(context, object),
  })
  return { ...object, metadata }
}

/** Kinds without a managed generation keep the writer's value. */
function generationOf({ kind }: ResourceContext, { metadata }: KubeObject): Pick<ObjectMeta, 'generation'> {
  if (kind.hasGeneration) return { generation: 1 }
  const { generation = 0 } = metadata
  return generation === 0 ? {} : { generation }
}

const serverOwned: readonly (keyof SentMetadata)[] = [
  'uid',
  'creationTimestamp',
  'generation',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]

function withoutServerOwned(metadata: SentMetadata): ObjectMeta {
  const { uid: _, creationTimestamp: __, generation: ___, selfLink: ____, ...sent } = metadata
  const { deletionTimestamp: _____, deletionGracePeriodSeconds: ______, ...kept } = sent
  return kept
}

/** Dropped fields have no owner. */
function withoutDeletion(object: KubeObject): KubeObject {
  const { deletionTimestamp, deletionGracePeriodSeconds, ...metadata } = object.metadata
  const isMarked = deletionTimestamp !== undefined || deletionGracePeriodSeconds !== undefined
  return isMarked ? { ...object, metadata } : object
}

function prepare(context: ResourceContext, object: KubeObject): KubeObject {
  const { kind } = context
  const cleared = kind.hasStatus && !kind.keepsStatusOnCreate ? withoutStatus(object) : object
  return kind.strategy.prepareForCreate?.(cleared) ?? cleared
}

function withoutStatus(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status: _, ...rest } = object
  return { apiVersion, kind, metadata, ...rest }
}

function withGeneratedName(context: ResourceContext, object: KubeObject): KubeObject {
  const name = generatedName(object.metadata.generateName ?? '', context.engine.random)
  return { ...object, metadata: { ...object.metadata, name } }
}

/** An object that was admitted and then refused must leave nothing behind. */
async function writeOrAbandon(
  context: ResourceContext,
  admitted: Admitted,
  request: WriteRequest,
): Promise<WriteAnswer | ApiError> {
  try {
    return await write(context, admitted, request)
  } catch (error) {
    if (error instanceof ApiError) await context.hooks.abandon?.(admitted.object)
    throw error
  }
}

async function write(
  context: ResourceContext,
  admitted: Admitted,
  request: WriteRequest,
): Promise<WriteAnswer | ApiError> {
  const { object } = admitted
  const sealed = admitted.sealed === undefined ? undefined : sealedBytes(admitted.sealed)
  const id = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }
  if (request.dryRun) return pretend(context, { id, object, sealed }, request)
  refuseResourceVersion(object)
  const stored = await storeNew(context, { id, object, sealed }, request)
  if (stored.outcome === 'written') return { document: revealed(stored.document, admitted), created: true }
  return nameTaken(context, stored.current?.object ?? object)
}

async function pretend(
  context: ResourceContext,
  write: UnstoredWrite,
  request: WriteRequest,
): Promise<WriteAnswer | ApiError> {
  const { id, object } = write
  const taken = context.cache.get(id)
  if (taken !== undefined) return nameTaken(context, taken.object)
  await requireRoom(context, write, request)
  await context.hooks.abandon?.(object)
  return { document: unstoredDocument(object), created: true }
}

function nameTaken(context: ResourceContext, existing: KubeObject): ApiError {
  const name = existing.metadata.name ?? ''
  const deleting = existing.metadata.deletionTimestamp !== undefined
  return deleting ? beingDeleted(context.kind, name) : alreadyExists(context.kind, name)
}
