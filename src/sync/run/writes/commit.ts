import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Informer, KubeClient, ResourceType, WriteOptions } from '../../../client/contract.ts'
import { saysGone } from '../../../client/says-gone.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import type {
  CopyDeletion,
  NodeBinding,
  ObjectFields,
  PartWrite,
  Plan,
  Trouble,
  VirtualChange,
} from '../../contract.ts'
import { lastSyncAnnotation, ranOn } from '../../names/markers.ts'
import { nameOf } from '../../names/names.ts'
import { withoutCopyProtection } from '../../plan/copy-protection.ts'
import { nameTaken, ReadAgain, SyncTrouble } from '../failures/failure.ts'

/** One cluster, as used by the writes of one kind. */
export interface Side {
  readonly client: KubeClient
  readonly type: ResourceType
  readonly informer: Informer
}

export interface CommitContext {
  readonly virtual: Side
  readonly host: Side
  readonly signal: AbortSignal
  /** Options for writing copies. */
  readonly writing: WriteOptions
  /** Whether this process still leads; checked right before each write. */
  readonly mayWrite: () => boolean
  /** Whether an object of the host is the copy of this object. */
  readonly isCopy: (object: KubeObject) => boolean
  /** The error if the namespace of the copy does not exist. */
  readonly withoutPlace: (message: string) => Error
  /** The error if another object is in the place of the copy. */
  readonly taken: (trouble: Trouble) => Error
  /** The error if the host refuses the copy and its kind can report it. */
  readonly refused: (error: unknown, place: ObjectName) => Promise<Error | undefined>
  /** The error if the host refuses a part of the copy. */
  readonly partRefused: (error: unknown, subresource: string, place: ObjectName) => unknown
  /** Called when the host refuses every part that the copy lacks. */
  readonly partsRefused: (trouble: Trouble) => Promise<void>
  /** Returns a check of a new copy as the host creates it; undefined: no trial is needed. */
  readonly onTrial: (copy: KubeObject) => ((made: KubeObject) => Trouble | undefined) | undefined
  /** Resolves when the copy's companions exist. */
  readonly provide: (place: ObjectName) => Promise<void>
  /** Called when the copy exists. */
  readonly made: (copy: KubeObject) => void
  /** Called when the host refuses the copy. */
  readonly notMade: (place: ObjectName) => void
  /** Called before a Pod is bound to this node. */
  readonly showNode: (node: string) => Promise<void>
  /** Called with the copy in the answer to a write. */
  readonly learnCopy: (written: KubeObject) => void
  readonly wroteHost: (verb: WriteVerb) => void
  readonly wroteVirtual: (written: KubeObject) => void
  readonly endedVirtual: (virtual: KubeObject) => void
}

export type WriteVerb = 'create' | 'update' | 'delete'

/** Carries out a plan. Answers are learned at once, so the next plan builds on them. Returns the current copy. */
export async function commitPlan(
  plan: Plan,
  virtual: KubeObject | undefined,
  context: CommitContext,
): Promise<KubeObject | undefined> {
  switch (plan.action) {
    case 'nothing':
    case 'leave out':
    case 'wait':
    case 'fail':
    case 'hold back':
      return undefined
    case 'create':
      return createCopy(plan.host, context)
    case 'update':
      if (virtual !== undefined && plan.virtual !== undefined) await writeVirtual(virtual, plan.virtual, context)
      if (plan.parts !== undefined) return writeFirstTaken(plan.parts, context)
      return plan.host && updateCopy(plan.host, context)
    case 'delete':
      await (plan.ends === undefined ? deleteCopy(plan.copy, context) : deleteWithGrace(plan, context))
      return undefined
    case 'end':
      await endVirtual(plan.virtual, plan.graceSeconds, context)
      return undefined
    case 'release':
      await releaseVirtual(plan.virtual, context)
      return undefined
  }
}

function mustLead({ mayWrite }: CommitContext): void {
  if (!mayWrite()) throw new ReadAgain('another replica leads now')
}

/**
 * Whether the object must be checked again. A copy that takes time to end is checked as soon as its server reports that
 * it is ending.
 */
export function isWrite(plan: Plan): boolean {
  return plan.action === 'create' || plan.action === 'update' || (plan.action === 'delete' && plan.ends === undefined)
}

async function createCopy(copy: KubeObject, context: CommitContext): Promise<KubeObject> {
  const { client, type } = context.host
  const judge = context.onTrial(copy)
  await context.provide(nameOf(copy))
  mustLead(context)
  try {
    if (judge !== undefined) await requireGoodTrial(copy, judge, context)
    mustLead(context)
    const created = await client.create(type, copy, context.signal, context.writing)
    context.wroteHost('create')
    const trouble = judge?.(created)
    if (trouble === undefined) context.made(created)
    context.learnCopy(created)
    if (trouble !== undefined) throw await withdrawn(created, trouble, context)
    return created
  } catch (error) {
    if (error instanceof NotWithdrawn) throw error.cause
    if (isRefusal(error, 409)) throw await whyTaken(copy, context)
    context.notMade(nameOf(copy))
    if (isRefusal(error, 404)) throw context.withoutPlace(error.message)
    throw (await context.refused(error, nameOf(copy))) ?? error
  }
}

async function requireGoodTrial(
  copy: KubeObject,
  judge: (made: KubeObject) => Trouble | undefined,
  { host: { client, type }, signal, writing }: CommitContext,
): Promise<void> {
  const trouble = judge(await client.create(type, copy, signal, { ...writing, isDryRun: true }))
  if (trouble !== undefined) throw new SyncTrouble(trouble)
}

/** The copy exists and must not: the next plan deletes it. */
class NotWithdrawn extends Error {}

/** The host created the copy differently than in the trial, so it is deleted before it is scheduled. */
async function withdrawn(created: KubeObject, trouble: Trouble, context: CommitContext): Promise<Error> {
  const { client, type, informer } = context.host
  try {
    await client.delete(type, nameOf(created), { uid: created.metadata.uid ?? '', graceSeconds: 0 }, context.signal)
    context.wroteHost('delete')
  } catch (error) {
    if (!saysGone(error, nameOf(created))) return new NotWithdrawn('the copy was not deleted', { cause: error })
  }
  informer.learnGone(created)
  return new SyncTrouble(trouble)
}

/** Either our own copy, which the informer has yet to see, or an object of others, which is not touched. */
async function whyTaken(copy: KubeObject, context: CommitContext): Promise<Error> {
  const { client, type, informer } = context.host
  const there = await client.get(type, nameOf(copy), context.signal)
  if (context.isCopy(there)) {
    informer.learn(there)
    return new ReadAgain('the copy exists already')
  }
  return context.taken(nameTaken(type, nameOf(copy)))
}

async function updateCopy(copy: KubeObject, context: CommitContext): Promise<KubeObject> {
  const { client, type } = context.host
  mustLead(context)
  const updated = await client.update(type, copy, context.signal, context.writing)
  context.wroteHost('update')
  context.learnCopy(updated)
  return updated
}

/**
 * The others follow over the resulting state of the copy. A refusal is reported when there is nothing else to write.
 */
async function writeFirstTaken(parts: readonly PartWrite[], context: CommitContext): Promise<KubeObject | undefined> {
  let refusal: SyncTrouble | undefined
  for (const part of parts) {
    try {
      return await writePart(part, context)
    } catch (error) {
      if (!(error instanceof SyncTrouble)) throw error
      refusal ??= error
    }
  }
  if (refusal === undefined) return undefined
  await context.partsRefused(refusal.trouble)
  throw refusal
}

async function writePart(part: PartWrite, context: CommitContext): Promise<KubeObject> {
  const { copy, subresource, body, lastSync } = part
  let updated: KubeObject
  try {
    updated = await patchCopy(copy, body, subresource, context)
  } catch (error) {
    throw context.partRefused(error, subresource, nameOf(copy))
  }
  if (lastSync === undefined) return updated
  // Subresources accept no annotations. Until it is noted, the same part is written again, which changes nothing.
  return patchCopy(updated, { metadata: { annotations: { [lastSyncAnnotation]: lastSync } } }, undefined, context)
}

async function patchCopy(
  copy: KubeObject,
  body: ObjectFields,
  subresource: string | undefined,
  context: CommitContext,
): Promise<KubeObject> {
  const { client, type } = context.host
  const patch = { type: 'merge' as const, body: atVersion(copy, body), ...(subresource && { subresource }) }
  mustLead(context)
  const updated = await client.patch(type, nameOf(copy), patch, context.signal)
  context.wroteHost('update')
  context.learnCopy(updated)
  return updated
}

/** Deletes only this object in this state: a replacement or a changed object stays. */
async function deleteCopy(copy: KubeObject, context: CommitContext): Promise<void> {
  const { client, type, informer } = context.host
  const { uid = '', resourceVersion = '' } = copy.metadata
  mustLead(context)
  try {
    await client.delete(type, nameOf(copy), { uid, resourceVersion, propagation: 'Background' }, context.signal)
    context.wroteHost('delete')
  } catch (error) {
    if (!saysGone(error, nameOf(copy))) throw error
  }
  informer.learnGone(copy)
}

/** Deletes only this object, in any state: it changes while it ends, and exists until then. */
async function deleteWithGrace({ copy, ends }: CopyDeletion, context: CommitContext): Promise<void> {
  const { client, type } = context.host
  mustLead(context)
  try {
    await client.delete(type, nameOf(copy), { uid: copy.metadata.uid ?? '', ...ends }, context.signal)
    context.wroteHost('delete')
  } catch (error) {
    if (!saysGone(error, nameOf(copy))) throw error
  }
}

async function endVirtual(virtual: KubeObject, graceSeconds: number, context: CommitContext): Promise<void> {
  const { client, type } = context.virtual
  mustLead(context)
  try {
    await client.delete(type, nameOf(virtual), { uid: virtual.metadata.uid ?? '', graceSeconds }, context.signal)
    context.endedVirtual(virtual)
  } catch (error) {
    if (!saysGone(error, nameOf(virtual))) throw error
  }
}

/** The object is usually gone after this write, so the informer does not learn the response. */
async function releaseVirtual(virtual: KubeObject, context: CommitContext): Promise<void> {
  const { client, type } = context.virtual
  mustLead(context)
  try {
    const patch = { type: 'merge' as const, body: withoutCopyProtection(virtual) }
    await client.patch(type, nameOf(virtual), patch, context.signal)
    context.endedVirtual(virtual)
  } catch (error) {
    if (!saysGone(error, nameOf(virtual))) throw error
  }
}

async function writeVirtual(
  virtual: KubeObject,
  { binding, body, status, isStatusAtVersion }: VirtualChange,
  context: CommitContext,
): Promise<void> {
  const { type } = context.virtual
  if (binding !== undefined) await bindVirtual(virtual, binding, context)
  let current = virtual
  if (body !== undefined) current = await patchVirtual(virtual, atVersion(virtual, body), undefined, context)
  if (status === undefined) return
  const patch = isStatusAtVersion ? atVersion(current, status) : status
  await patchVirtual(virtual, patch, type.hasStatus ? 'status' : undefined, context)
}

/** The answer does not contain the Pod, which has another version now. */
async function bindVirtual(virtual: KubeObject, { node }: NodeBinding, context: CommitContext): Promise<void> {
  const { client, type, informer } = context.virtual
  const { namespace, name, uid } = virtual.metadata
  await context.showNode(node)
  const body = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: {
      ...(namespace && { namespace }),
      ...(name && { name }),
      ...(uid && { uid }),
      annotations: { [ranOn]: node },
    },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  }
  mustLead(context)
  await client.createUnder(type, nameOf(virtual), { subresource: 'binding', body }, context.signal)
  const bound = await client.get(type, nameOf(virtual), context.signal)
  context.wroteVirtual(bound)
  informer.learn(bound)
}

/** Writes the status of a virtual object over the state that was read. */
export async function writeStatus(virtual: KubeObject, status: ObjectFields, context: CommitContext): Promise<void> {
  await writeVirtual(virtual, { status: { status }, isStatusAtVersion: true }, context)
}

async function patchVirtual(
  virtual: KubeObject,
  body: ObjectFields,
  subresource: string | undefined,
  context: CommitContext,
): Promise<KubeObject> {
  const { client, type, informer } = context.virtual
  const patch = { type: 'merge' as const, body, ...(subresource && { subresource }) }
  mustLead(context)
  const written = await client.patch(type, nameOf(virtual), patch, context.signal)
  context.wroteVirtual(written)
  informer.learn(written)
  return written
}

/** The server refuses the write if the object has changed since it was read. */
function atVersion({ metadata: { uid, resourceVersion } }: KubeObject, body: ObjectFields): ObjectFields {
  const metadata = typeof body.metadata === 'object' ? body.metadata : {}
  return { ...body, metadata: { ...metadata, uid, resourceVersion } }
}
