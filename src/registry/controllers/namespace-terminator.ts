import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { documentsIn } from '../documents-in.ts'
import { caughtUp } from '../freshness.ts'
import type { ObjectRegistry } from '../registry.ts'
import { deleteObject } from '../verbs/delete.ts'
import { editObject } from '../verbs/edit.ts'
import type { ChangeEvent } from '../watch/event.ts'
import type { Controller, ReportError } from './controller.ts'
import { FollowedKinds } from './followed-kinds.ts'
import { contentConditions, type Remaining } from './namespace-conditions.ts'
import { controllerRequest } from './system-request.ts'

const manager = 'namespace-controller'
const finalizer = 'kubernetes'

/** Checking a namespace with much content is expensive, so it does not follow every single change. */
const muchContent = 500
const pauseMs = 500

/** Deletions that arrive together share a commit of the store, and controllers check what is left once for all of them. */
const deletionsAtOnce = 16

/** Empties namespaces whose deletion was requested, and removes them when nothing is left. */
export class NamespaceTerminator implements Controller {
  readonly #registry: ObjectRegistry
  readonly #namespaces: ResourceContext
  /** How many objects each namespace held at the last check. */
  readonly #terminating = new Map<string, number>()
  readonly #loop: Reconciler

  constructor(registry: ObjectRegistry, namespaces: ResourceContext, report: ReportError) {
    this.#registry = registry
    this.#namespaces = namespaces
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => report(manager, name, error),
      measured: { metrics: registry.engine.metrics, name: manager },
    })
    for (const document of namespaces.cache.current().values()) this.#noticed(document)
    this.#loop.follow(
      namespaces.cache.listen((events) => {
        for (const event of events) this.#observeNamespace(event)
      }),
    )
    const kinds = new FollowedKinds(registry, (context) => this.#follow(context))
    this.#loop.follow(() => kinds.stop())
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #follow({ kind, cache }: ResourceContext): () => void {
    return kind.namespaced ? cache.listen((events) => this.#observeContent(events)) : () => {}
  }

  #observeNamespace(event: ChangeEvent): void {
    if (event.type === 'DELETED') this.#terminating.delete(event.document.name)
    else this.#noticed(event.document)
  }

  #noticed(document: StoredDocument): void {
    if (!document.itemJson.includes('"deletionTimestamp":')) return
    if (document.object.metadata.deletionTimestamp === undefined) return
    if (!this.#terminating.has(document.name)) this.#terminating.set(document.name, 0)
    this.#loop.add(document.name)
  }

  #observeContent(events: readonly ChangeEvent[]): void {
    if (this.#terminating.size === 0) return
    for (const { type, document } of events) {
      const left = this.#terminating.get(document.namespace)
      if (type !== 'DELETED' || left === undefined) continue
      if (left > muchContent) this.#loop.addAfter(document.namespace, pauseMs)
      else this.#loop.add(document.namespace)
    }
  }

  async #handle(name: string): Promise<void> {
    await caughtUp(this.#registry.engine)
    const namespace = this.#namespaces.cache.get({ namespace: '', name })?.object
    if (namespace?.metadata.deletionTimestamp === undefined) return
    await this.#deleteContent(name)
    const remaining = await this.#remainingContent(name)
    this.#terminating.set(name, remaining.length)
    if (remaining.length === 0) await this.#finalize(name)
    else await this.#report(name, remaining)
  }

  async #deleteContent(namespace: string): Promise<void> {
    const request = controllerRequest(manager, this.#loop.signal)
    const pace = new Pace()
    const content = this.#content(namespace).values()
    const deleteNext = async (): Promise<void> => {
      for (const { context, document } of content) {
        await pace.step()
        if (this.#loop.signal.aborted) return
        await deleteObject(context, document, { propagationPolicy: 'Background', dryRun: false }, request).catch(
          ignoreGone,
        )
      }
    }
    // All deletions must end before one of them fails the reconciliation, or they would run alongside the next one.
    const ended = await Promise.allSettled(Array.from({ length: deletionsAtOnce }, deleteNext))
    const failed = ended.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async #remainingContent(namespace: string): Promise<readonly Remaining[]> {
    const remaining: Remaining[] = []
    const pace = new Pace()
    for (const { context, document } of this.#content(namespace)) {
      await pace.step()
      remaining.push({ resource: context.kind, finalizers: document.object.metadata.finalizers ?? [] })
    }
    return remaining
  }

  #content(namespace: string): { readonly context: ResourceContext; readonly document: StoredDocument }[] {
    return this.#registry
      .contexts()
      .filter(({ kind }) => kind.namespaced && kind.storedAs === undefined)
      .flatMap((context) => documentsIn(context, namespace).map((document) => ({ context, document })))
  }

  async #finalize(name: string): Promise<void> {
    const request = controllerRequest(manager, this.#loop.signal, 'finalize')
    await editObject(this.#namespaces, { namespace: '', name }, withoutOwnFinalizer, request)
  }

  async #report(name: string, remaining: readonly Remaining[]): Promise<void> {
    const request = controllerRequest(manager, this.#loop.signal, 'status')
    const nowMs = this.#registry.engine.clock.now()
    await editObject(
      this.#namespaces,
      { namespace: '', name },
      (object) => contentConditions(object, remaining, nowMs),
      request,
    )
  }
}

function withoutOwnFinalizer(namespace: KubeObject): KubeObject | undefined {
  const spec = namespace.spec as { readonly finalizers?: readonly string[] } | undefined
  const finalizers = spec?.finalizers ?? []
  if (!finalizers.includes(finalizer)) return undefined
  return { ...namespace, spec: { ...spec, finalizers: finalizers.filter((each) => each !== finalizer) } }
}

function ignoreGone(error: unknown): void {
  if (!isRefusal(error, 404)) throw error
}
