import { isRefusal } from '../../api/error.ts'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.ts'
import { type KubeObject, type OwnerReference, parseApiVersion } from '../../api/object.ts'
import { WorkQueue } from '../../base/work-queue.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp } from '../freshness.ts'
import type { ObjectRegistry } from '../registry.ts'
import { parseRelativeKey } from '../storage-key.ts'
import { deleteObject } from '../verbs/delete.ts'
import { editObject } from '../verbs/edit.ts'
import type { ChangeEvent } from '../watch/event.ts'
import { type OwnerState, planCollection, withoutFinalizer, withoutOwners } from './collection-plan.ts'
import type { Controller, ReportError } from './controller.ts'
import { OwnerGraph, ownerReferencesOf, parseSubject, subjectOf } from './owner-graph.ts'
import { systemRequest } from './system-request.ts'

const manager = 'garbage-collector'

/** Deletes what has lost its owners, and carries out foreground and orphaning deletion. */
export class GarbageCollector implements Controller {
  readonly #registry: ObjectRegistry
  readonly #graph = new OwnerGraph()
  readonly #followed = new Map<string, ResourceContext>()
  readonly #unsubscribe: (() => void)[] = []
  readonly #stop = new AbortController()
  readonly #queue: WorkQueue

  constructor(registry: ObjectRegistry, report: ReportError) {
    this.#registry = registry
    this.#queue = new WorkQueue({
      handle: (subject) => this.#handle(subject),
      onError: (subject, error) => report(manager, subject, error),
    })
    this.#followNewKinds()
    this.#unsubscribe.push(registry.onChange(() => this.#followNewKinds()))
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await this.#queue.stop()
  }

  #followNewKinds(): void {
    for (const context of this.#registry.contexts()) {
      if (this.#followed.has(context.cache.prefix)) continue
      this.#followed.set(context.cache.prefix, context)
      this.#unsubscribe.push(context.cache.listen((events) => this.#observe(context, events)))
      for (const document of context.cache.current().values()) this.#noticed(context, document)
    }
  }

  #observe(context: ResourceContext, events: readonly ChangeEvent[]): void {
    for (const { type, document, previous } of events) {
      if (previous !== undefined) this.#wakeOwners(context, previous)
      if (type === 'DELETED') this.#vanished(context, document)
      else this.#noticed(context, document)
    }
  }

  #noticed(context: ResourceContext, document: StoredDocument): void {
    const references = ownerReferencesOf(document)
    if (references.length === 0 && this.#graph.isEmpty && !waitsForUs(document)) return
    const subject = subjectOf(context.cache, document)
    this.#graph.update(subject, references)
    if (references.length > 0 || waitsForUs(document)) this.#queue.add(subject)
  }

  #vanished(context: ResourceContext, document: StoredDocument): void {
    this.#graph.remove(subjectOf(context.cache, document))
    if (this.#graph.isEmpty) return
    const { uid } = document.object.metadata
    for (const dependent of this.#graph.dependentsOf(uid ?? '')) this.#queue.add(dependent)
  }

  /** An owner that waits for its dependents looks again whenever one of them changes. */
  #wakeOwners(context: ResourceContext, dependent: StoredDocument): void {
    for (const reference of ownerReferencesOf(dependent)) {
      const owner = this.#ownerOf(context, dependent, reference)
      if (owner?.document !== undefined && waitsForUs(owner.document)) {
        this.#queue.add(subjectOf(owner.context.cache, owner.document))
      }
    }
  }

  async #handle(subject: string): Promise<void> {
    await caughtUp(this.#registry.engine)
    const { prefix, key } = parseSubject(subject)
    const context = this.#followed.get(prefix)
    const document = context?.cache.get(parseRelativeKey(key))
    if (context === undefined || document === undefined) return
    const object = document.object
    const finalizers = object.metadata.finalizers ?? []
    if (object.metadata.deletionTimestamp === undefined) await this.#collect(context, document, object)
    else if (finalizers.includes(orphanFinalizer)) await this.#orphanDependents(context, document, object)
    else if (finalizers.includes(foregroundFinalizer)) await this.#awaitDependents(context, document, object)
  }

  async #collect(context: ResourceContext, document: StoredDocument, object: KubeObject): Promise<void> {
    const references = (object.metadata.ownerReferences ?? []).map((reference) => ({
      reference,
      owner: this.#stateOf(context, document, reference),
    }))
    const plan = planCollection(object, references, this.#graph.dependentsOf(object.metadata.uid ?? '').length > 0)
    const request = systemRequest(manager, this.#stop.signal)
    if (plan.action === 'forget-owners') {
      await editObject(context, document, (current) => withoutOwners(current, plan.uids), request)
    }
    if (plan.action === 'delete') {
      const { uid = '', resourceVersion = '' } = object.metadata
      const options = { propagationPolicy: plan.policy, preconditions: { uid, resourceVersion }, dryRun: false }
      await deleteObject(context, document, options, request).catch(ignoreGone)
    }
  }

  async #awaitDependents(context: ResourceContext, document: StoredDocument, object: KubeObject): Promise<void> {
    const dependents = this.#dependentsOf(object)
    const blocking = dependents.filter(({ references }) =>
      references.some((each) => each.uid === object.metadata.uid && each.blockOwnerDeletion === true),
    )
    if (blocking.length === 0) await this.#removeFinalizer(context, document, foregroundFinalizer)
    for (const { subject } of dependents) this.#queue.add(subject)
  }

  async #orphanDependents(context: ResourceContext, document: StoredDocument, object: KubeObject): Promise<void> {
    const { uid = '' } = object.metadata
    for (const { context: kind, document: dependent } of this.#dependentsOf(object)) {
      const request = systemRequest(manager, this.#stop.signal)
      await editObject(kind, dependent, (current) => withoutOwners(current, [uid]), request)
    }
    await this.#removeFinalizer(context, document, orphanFinalizer)
  }

  async #removeFinalizer(context: ResourceContext, document: StoredDocument, finalizer: string): Promise<void> {
    const request = systemRequest(manager, this.#stop.signal)
    await editObject(context, document, (current) => withoutFinalizer(current, finalizer), request)
  }

  #dependentsOf(owner: KubeObject): readonly Dependent[] {
    return this.#graph.dependentsOf(owner.metadata.uid ?? '').flatMap((subject) => {
      const { prefix, key } = parseSubject(subject)
      const context = this.#followed.get(prefix)
      const document = context?.cache.get(parseRelativeKey(key))
      if (context === undefined || document === undefined) return []
      return [{ subject, context, document, references: ownerReferencesOf(document) }]
    })
  }

  #stateOf(context: ResourceContext, dependent: StoredDocument, reference: OwnerReference): OwnerState {
    const owner = this.#ownerOf(context, dependent, reference)
    if (owner === undefined) return 'present'
    const metadata = owner.document?.object.metadata
    if (metadata?.uid !== reference.uid) return 'absent'
    const waits =
      metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(foregroundFinalizer) === true
    return waits ? 'waiting' : 'present'
  }

  /** Undefined where the owner cannot be looked up: a kind not served here, or a namespaced owner of a cluster-wide object. */
  #ownerOf(
    context: ResourceContext,
    dependent: StoredDocument,
    reference: OwnerReference,
  ): { readonly context: ResourceContext; readonly document: StoredDocument | undefined } | undefined {
    const owner = this.#registry.engine.find(parseApiVersion(reference.apiVersion).group, reference.kind)
    if (owner === undefined || (owner.kind.namespaced && !context.kind.namespaced)) return undefined
    const namespace = owner.kind.namespaced ? dependent.namespace : ''
    return { context: owner, document: owner.cache.get({ namespace, name: reference.name }) }
  }
}

interface Dependent {
  readonly subject: string
  readonly context: ResourceContext
  readonly document: StoredDocument
  readonly references: readonly OwnerReference[]
}

function waitsForUs(document: StoredDocument): boolean {
  return (
    document.mentions('deletionTimestamp') &&
    (document.contains(`"${foregroundFinalizer}"`) || document.contains(`"${orphanFinalizer}"`))
  )
}

function ignoreGone(error: unknown): void {
  if (!isRefusal(error, 404, 409)) throw error
}
