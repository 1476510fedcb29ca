import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { ObjectRegistry } from '../registry.ts'
import type { QuotaBook } from '../resource-quota/quota-book.ts'
import type { Controller, ReportError } from './controller.ts'
import { FollowedKinds } from './followed-kinds.ts'

const manager = 'resource-quota'

/** Everything in a namespace is counted for every change there: those that come together share a count. */
const pauseMs = 50

/** Keeps the status of ResourceQuotas true: what is gone no longer counts, and what was charged for nothing neither. */
export class QuotaStatus implements Controller {
  readonly #registry: ObjectRegistry
  readonly #book: QuotaBook
  readonly #loop: Reconciler
  /** Namespaces whose count is due after the pause. */
  readonly #due = new Set<string>()

  constructor(registry: ObjectRegistry, book: QuotaBook, report: ReportError) {
    this.#registry = registry
    this.#book = book
    this.#loop = new Reconciler({
      reconcile: (namespace) => this.#count(namespace),
      failed: (namespace, error) => report(manager, namespace, error),
      workers: 1,
    })
    const kinds = new FollowedKinds(registry, (context) => this.#follow(context))
    this.#loop.follow(
      book.onClosed((namespace) => this.#countSoon(namespace)),
      () => kinds.stop(),
    )
    for (const { namespace } of this.#quotas?.cache.current().values() ?? []) this.#loop.add(namespace)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  get #quotas(): ResourceContext | undefined {
    return this.#registry.engine.find('', 'ResourceQuota')
  }

  #follow({ kind, cache }: ResourceContext): () => void {
    if (!kind.namespaced) return () => undefined
    return cache.listen((events) => {
      for (const { document } of events) this.#countSoon(document.namespace)
    })
  }

  #countSoon(namespace: string): void {
    if (this.#due.has(namespace) || !this.#book.hasQuotas(namespace)) return
    this.#due.add(namespace)
    this.#loop.addAfter(namespace, pauseMs)
  }

  async #count(namespace: string): Promise<'done' | 'again'> {
    this.#due.delete(namespace)
    const isDone = await this.#book.refresh(namespace)
    const openForMs = this.#book.openForMs(namespace)
    if (openForMs !== undefined && !this.#due.has(namespace)) this.#loop.addAfter(namespace, openForMs)
    return isDone ? 'done' : 'again'
  }
}
