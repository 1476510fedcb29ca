import { isRefusal } from '../../api/error.ts'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.ts'
import type { KubeObject, OwnerReference } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp } from '../freshness.ts'
import type { ObjectRegistry } from '../registry.ts'
import { parseRelativeKey } from '../storage-key.ts'
import { deleteObject } from '../verbs/delete.ts'
import { editObject } from '../verbs/edit.ts'
import type { ChangeEvent } from '../watch/event.ts'
import {
  type DependentsState,
  planCollection,
  withoutBlocking,
  withoutFinalizer,
  withoutOwners,
} from './collection-plan.ts'
import type { Controller, ReportError } from './controller.ts'
import { FollowedKinds } from './followed-kinds.ts'
import { ForeignOwners, type ReportForeignOwner } from './foreign-owners.ts'
import { type Owner, OwnerGraph, ownerReferencesOf, parseSubject, subjectOf } from './owner-graph.ts'
import { mayWait, ownerStateOf, uidOf, waitsFor } from './owner-state.ts'
import { controllerRequest } from './system-request.ts'
import { WaitingOwners } from './waiting-owners.ts'

const manager = 'garbage-collector'

/**
 * Queue entry for a search for deadlocks, not an object. The pause lets the search cover everything that has happened
 * until then.
 */
const deadlocks = 'deadlocks'
const pauseBeforeLookMs = 100

/** Deletes objects that have lost their owners, and carries out foreground and orphaning deletion. */
export class GarbageCollector implements Controller {
  readonly #registry: ObjectRegistry
  readonly #graph = new OwnerGraph()
  readonly #waiting = new WaitingOwners(this.#graph)
  readonly #followed = new Map<string, ResourceContext>()
  readonly #loop: Reconciler
  readonly #foreign: ForeignOwners
  #isLookDue = false

  constructor(registry: ObjectRegistry, report: ReportError, tell: ReportForeignOwner = () => undefined) {
    this.#registry = registry
    this.#foreign = new ForeignOwners(tell)
    this.#loop = new Reconciler({
      reconcile: (name) => (name === deadlocks ? this.#breakDeadlocks() : this.#handle(name)),
      failed: (name, error, attempt) => {
        if (!isOvertaken(error, attempt)) report(manager, name, error)
      },
      measured: { metrics: registry.engine.metrics, name: manager },
    })
    const kinds = new FollowedKinds(registry, (context) => this.#follow(context))
    this.#loop.follow(() => kinds.stop())
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #follow(context: ResourceContext): () => void {
    this.#followed.set(context.cache.prefix, context)
    const stop = context.cache.listen((events) => this.#observe(context, events))
    for (const document of context.cache.current().values()) this.#noticed(context, document)
    return () => {
      stop()
      this.#followed.delete(context.cache.prefix)
    }
  }

  #observe(context: ResourceContext, events: readonly ChangeEvent[]): void {
    for (const { type, document } of events) {
      context.cache.attempt(document, () => {
        const before = this.#graph.referencesOf(subjectOf(context.cache, document))
        if (type === 'DELETED') this.#vanished(context, document)
        else this.#noticed(context, document)
        this.#wakeOwners(before)
      })
    }
  }

  #noticed(context: ResourceContext, document: StoredDocument): void {
    const references = ownerReferencesOf(document)
    if (references.length === 0 && this.#graph.isEmpty && !mayWait(document)) return
    const subject = subjectOf(context.cache, document)
    const hasOtherOwners = !deepEqual(references, this.#graph.referencesOf(subject))
    if (hasOtherOwners) this.#graph.update(subject, references)
    const waits = waitsFor(document)
    if (waits === 'dependents') this.#waits(subject, ownerFrom(document))
    else this.#waiting.remove(subject)
    if ((hasOtherOwners && references.length > 0) || waits !== 'nothing') this.#loop.add(subject)
  }

  /** Checks its dependents once; later dependents, or those with changed owners, are checked anyway. */
  #waits(subject: string, owner: Owner): void {
    if (this.#waiting.add(subject, owner)) this.#addAll(this.#graph.dependentsOf(owner))
    if (this.#isLookDue || this.#graph.blockingReferences(subject).length === 0) return
    this.#isLookDue = true
    this.#loop.addAfter(deadlocks, pauseBeforeLookMs)
  }

  #vanished(context: ResourceContext, document: StoredDocument): void {
    const subject = subjectOf(context.cache, document)
    this.#waiting.remove(subject)
    this.#graph.remove(subject)
    if (this.#graph.isEmpty) return
    if (this.#graph.hasDependents(ownerFrom(document))) this.#foreign.gone(uidOf(document))
    this.#addAll(this.#graph.dependentsOf(ownerFrom(document)))
  }

  #addAll(subjects: Iterable<string>): void {
    for (const subject of subjects) this.#loop.add(subject)
  }

  /** Wakes a waiting owner when the last dependent that blocks it is deleted or stops blocking. */
  #wakeOwners(references: readonly OwnerReference[]): void {
    for (const { uid } of references) {
      const waiting = this.#waiting.find(uid)
      if (waiting !== undefined && !this.#graph.isBlocked(waiting.owner)) this.#loop.add(waiting.subject)
    }
  }

  async #handle(subject: string): Promise<void> {
    await caughtUp(this.#registry.engine)
    const found = this.#find(subject)
    if (found === undefined) return
    const { context, document } = found
    if (!document.isBeingDeleted) return this.#collect(context, document)
    const waits = waitsFor(document)
    if (waits === 'orphaning') await this.#orphanDependents(context, document)
    if (waits === 'dependents') await this.#endWait(context, document)
  }

  async #collect(context: ResourceContext, document: StoredDocument): Promise<void> {
    const references = ownerReferencesOf(document).map((reference) => ({
      reference,
      owner: ownerStateOf(context, document, reference),
    }))
    for (const { reference, owner } of references) {
      if (owner === 'absent' || document.namespace === '') this.#foreign.look(context, document, reference)
    }
    // This is the usual case: the object need not be parsed.
    if (references.every(({ owner }) => owner === 'present')) return
    const { object } = document
    const plan = planCollection(object, references, this.#stateOfDependents(ownerFrom(document)))
    const request = controllerRequest(manager, this.#loop.signal)
    if (plan.action === 'forget-owners') {
      await editObject(context, document, (current) => withoutOwners(current, plan.uids), request)
    }
    if (plan.action !== 'delete') return
    const { uid = '', resourceVersion = '' } = object.metadata
    const options = {
      propagationPolicy: plan.policy,
      preconditions: { uid, resourceVersion },
      dryRun: false,
      ...(plan.unblocksOwners && { whileMarking: (marked: KubeObject) => withoutBlocking(marked) }),
    }
    await deleteObject(context, document, options, request).catch(ignoreGone)
  }

  async #endWait(context: ResourceContext, document: StoredDocument): Promise<void> {
    if (this.#graph.isBlocked(ownerFrom(document))) return
    await this.#removeFinalizer(context, document, foregroundFinalizer)
  }

  /** Objects that are being deleted and wait for each other would wait forever, so their owners stop waiting for them. */
  async #breakDeadlocks(): Promise<void> {
    this.#isLookDue = false
    for (const [subject, owners] of await this.#waiting.deadlocked(new Pace())) {
      const found = this.#find(subject)
      if (found === undefined) continue
      const request = controllerRequest(manager, this.#loop.signal)
      await editObject(found.context, found.document, (current) => withoutBlocking(current, owners), request)
    }
  }

  async #orphanDependents(context: ResourceContext, document: StoredDocument): Promise<void> {
    const owner = ownerFrom(document)
    for (const subject of [...this.#graph.dependentsOf(owner)]) {
      const dependent = this.#find(subject)
      if (dependent === undefined) continue
      const request = controllerRequest(manager, this.#loop.signal)
      await editObject(dependent.context, dependent.document, (current) => withoutOwners(current, [owner.uid]), request)
    }
    await this.#removeFinalizer(context, document, orphanFinalizer)
  }

  async #removeFinalizer(context: ResourceContext, document: StoredDocument, finalizer: string): Promise<void> {
    const request = controllerRequest(manager, this.#loop.signal)
    await editObject(context, document, (current) => withoutFinalizer(current, finalizer), request)
  }

  #find(subject: string): { readonly context: ResourceContext; readonly document: StoredDocument } | undefined {
    const { prefix, key } = parseSubject(subject)
    const context = this.#followed.get(prefix)
    const document = context?.cache.get(parseRelativeKey(key))
    return context === undefined || document === undefined ? undefined : { context, document }
  }

  #stateOfDependents(owner: Owner): DependentsState {
    for (const dependent of this.#graph.dependentsOf(owner)) if (this.#waiting.has(dependent)) return 'waiting'
    return this.#graph.hasDependents(owner) ? 'some' : 'none'
  }
}

function ownerFrom(document: StoredDocument): Owner {
  const { namespace, kind } = document
  return { namespace, uid: uidOf(document), group: kind.group, kind: kind.kind }
}

/** After this many attempts, conflicts with the deletion are no longer a coincidence. */
const worthTelling = 5

/**
 * The object changed before the deletion. It is requeued after a pause: a webhook may answer every deletion with a
 * conflict, and a change that leaves the owners as they are does not requeue the object.
 */
function isOvertaken(error: unknown, attempt: number): boolean {
  return attempt < worthTelling && isRefusal(error, 409)
}

function ignoreGone(error: unknown): void {
  if (!isRefusal(error, 404)) throw error
}
