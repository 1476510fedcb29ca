import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { WorkQueue } from '../../base/work-queue.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp } from '../freshness.ts'
import type { ObjectRegistry } from '../registry.ts'
import { deleteObject } from '../verbs/delete.ts'
import { editObject } from '../verbs/edit.ts'
import type { ChangeEvent } from '../watch/event.ts'
import type { Controller, ReportError } from './controller.ts'
import { contentConditions, type Remaining } from './namespace-conditions.ts'
import { systemRequest } from './system-request.ts'

const manager = 'namespace-controller'
const finalizer = 'kubernetes'

/** Empties namespaces whose deletion was requested, and lets them go when nothing is left. */
export class NamespaceTerminator implements Controller {
  readonly #registry: ObjectRegistry
  readonly #namespaces: ResourceContext
  readonly #terminating = new Set<string>()
  readonly #followed = new Set<string>()
  readonly #unsubscribe: (() => void)[] = []
  readonly #stop = new AbortController()
  readonly #queue: WorkQueue

  constructor(registry: ObjectRegistry, namespaces: ResourceContext, report: ReportError) {
    this.#registry = registry
    this.#namespaces = namespaces
    this.#queue = new WorkQueue({
      handle: (name) => this.#handle(name),
      onError: (name, error) => report(manager, name, error),
    })
    for (const document of namespaces.cache.current().values()) this.#noticed(document)
    this.#unsubscribe.push(
      namespaces.cache.listen((events) => {
        for (const event of events) this.#observeNamespace(event)
      }),
      registry.onChange(() => this.#followNewKinds()),
    )
    this.#followNewKinds()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await this.#queue.stop()
  }

  #followNewKinds(): void {
    for (const { kind, cache } of this.#registry.contexts()) {
      if (!kind.namespaced || this.#followed.has(cache.prefix)) continue
      this.#followed.add(cache.prefix)
      this.#unsubscribe.push(cache.listen((events) => this.#observeContent(events)))
    }
  }

  #observeNamespace(event: ChangeEvent): void {
    if (event.type === 'DELETED') this.#terminating.delete(event.document.name)
    else this.#noticed(event.document)
  }

  #noticed(document: StoredDocument): void {
    if (!document.itemJson.includes('"deletionTimestamp":')) return
    if (document.object.metadata.deletionTimestamp === undefined) return
    this.#terminating.add(document.name)
    this.#queue.add(document.name)
  }

  #observeContent(events: readonly ChangeEvent[]): void {
    if (this.#terminating.size === 0) return
    for (const { type, document } of events) {
      if (type === 'DELETED' && this.#terminating.has(document.namespace)) this.#queue.add(document.namespace)
    }
  }

  async #handle(name: string): Promise<void> {
    await caughtUp(this.#registry.engine)
    const namespace = this.#namespaces.cache.get({ namespace: '', name })?.object
    if (namespace?.metadata.deletionTimestamp === undefined) return
    await this.#deleteContent(name)
    const remaining = this.#remainingContent(name)
    if (remaining.length === 0) await this.#finalize(name)
    else await this.#report(name, remaining)
  }

  async #deleteContent(namespace: string): Promise<void> {
    const request = systemRequest(manager, this.#stop.signal)
    for (const { context, document } of this.#content(namespace)) {
      await deleteObject(context, document, { propagationPolicy: 'Background', dryRun: false }, request).catch(
        ignoreGone,
      )
    }
  }

  #remainingContent(namespace: string): readonly Remaining[] {
    return this.#content(namespace).map(({ context, document }) => ({
      resource: context.kind,
      finalizers: document.object.metadata.finalizers ?? [],
    }))
  }

  #content(namespace: string): { readonly context: ResourceContext; readonly document: StoredDocument }[] {
    return this.#registry
      .contexts()
      .filter(({ kind }) => kind.namespaced && kind.storedAs === undefined)
      .flatMap((context) => [...inNamespace(context, namespace)].map((document) => ({ context, document })))
  }

  async #finalize(name: string): Promise<void> {
    const request = systemRequest(manager, this.#stop.signal, 'finalize')
    await editObject(this.#namespaces, { namespace: '', name }, withoutOwnFinalizer, request)
  }

  async #report(name: string, remaining: readonly Remaining[]): Promise<void> {
    const request = systemRequest(manager, this.#stop.signal, 'status')
    const nowMs = this.#registry.engine.clock.now()
    await editObject(
      this.#namespaces,
      { namespace: '', name },
      (object) => contentConditions(object, remaining, nowMs),
      request,
    )
  }
}

function inNamespace(context: ResourceContext, namespace: string): readonly StoredDocument[] {
  const found: StoredDocument[] = []
  context.cache.current().forRange(`${namespace}/`, `${namespace}0`, false, (_, document) => {
    found.push(document)
  })
  return found
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
