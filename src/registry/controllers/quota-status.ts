import { ApiError } from '../../api/error.ts'
import { monotonicClock } from '../../base/clock.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { ObjectRegistry } from '../registry.ts'
import { evaluatorOf } from '../resource-quota/evaluator-of.ts'
import type { QuotaBook } from '../resource-quota/quota-book.ts'
import type { ChangeEvent } from '../watch/event.ts'
import type { Controller, ReportError } from './controller.ts'
import { FollowedKinds } from './followed-kinds.ts'

const manager = 'resource-quota'

/** Every change triggers a count of the whole namespace; changes that arrive together share one. */
const shortestPauseMs = 50
const longestPauseMs = 60_000

/** Counting one namespace takes at most one part in this many of the time. */
const share = 10

/**
 * Keeps the status of ResourceQuotas accurate: it no longer counts deleted objects, or charges for writes that did not
 * happen.
 */
export class QuotaStatus implements Controller {
  readonly #registry: ObjectRegistry
  readonly #book: QuotaBook
  readonly #loop: Reconciler
  /** Namespaces that are to be counted after a pause. */
  readonly #due = new Set<string>()
  /** The pauses of namespaces whose count takes long. */
  readonly #pausesMs = new Map<string, number>()

  constructor(registry: ObjectRegistry, book: QuotaBook, report: ReportError) {
    this.#registry = registry
    this.#book = book
    this.#loop = new Reconciler({
      reconcile: (namespace) => this.#visit(namespace),
      failed: (namespace, error) => {
        if (!(error instanceof ApiError) || error.code >= 500) report(manager, namespace, error)
      },
      workers: 1,
      measured: { metrics: registry.engine.metrics, name: manager },
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
    const evaluator = evaluatorOf(kind)
    if (evaluator === undefined) return () => undefined
    const isQuota = kind.group === '' && kind.kind === 'ResourceQuota'
    const mayGrow = isQuota || evaluator.onlyCounts === undefined
    return cache.listen((events) => {
      for (const event of events) this.#observe(event, mayGrow)
    })
  }

  /** For an object that only counts as one, a modification changes nothing. */
  #observe({ type, document }: ChangeEvent, mayGrow: boolean): void {
    if (type === 'DELETED') this.#book.gone(document)
    if (mayGrow || type !== 'MODIFIED') this.#countSoon(document.namespace)
  }

  #countSoon(namespace: string): void {
    if (this.#due.has(namespace) || !this.#book.hasQuotas(namespace)) return
    this.#due.add(namespace)
    this.#loop.addAfter(namespace, this.#pausesMs.get(namespace) ?? shortestPauseMs)
  }

  /** A failed count is retried with a growing backoff, which no event shortens. */
  async #visit(namespace: string): Promise<void> {
    this.#due.delete(namespace)
    try {
      await this.#count(namespace)
    } catch (error) {
      this.#due.add(namespace)
      throw error
    }
  }

  async #count(namespace: string): Promise<void> {
    const startedMs = monotonicClock.now()
    const isDone = await this.#book.refresh(namespace)
    this.#pauseFor(namespace, share * (monotonicClock.now() - startedMs))
    if (!isDone) this.#countSoon(namespace)
    const openForMs = this.#book.openForMs(namespace)
    if (openForMs === undefined || this.#due.has(namespace)) return
    this.#loop.addAfter(namespace, Math.min(openForMs, longestPauseMs))
  }

  #pauseFor(namespace: string, pauseMs: number): void {
    if (pauseMs <= shortestPauseMs || !this.#book.hasQuotas(namespace)) this.#pausesMs.delete(namespace)
    else this.#pausesMs.set(namespace, Math.min(pauseMs, longestPauseMs))
  }
}
