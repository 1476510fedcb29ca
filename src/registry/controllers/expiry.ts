import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'
import { deleteObject } from '../verbs/delete.ts'
import type { Controller, ReportError } from './controller.ts'
import { systemRequest } from './system-request.ts'

const manager = 'expiry-controller'

export interface ExpiryRule {
  readonly context: ResourceContext
  /** When the object goes, in milliseconds since the epoch; undefined for never. */
  readonly expiresAt: (object: KubeObject) => number | undefined
}

/** Removes objects whose time has come: old events, and objects whose grace period is over. */
export class Expiry implements Controller {
  readonly #rules: readonly ExpiryRule[]
  readonly #report: ReportError
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> = Promise.resolve()

  constructor(rules: readonly ExpiryRule[], intervalMs: number, report: ReportError) {
    this.#rules = rules
    this.#report = report
    this.#timer = setInterval(() => {
      this.#sweeping = this.#sweeping.then(() => this.sweep())
    }, intervalMs).unref()
  }

  async sweep(): Promise<void> {
    for (const { context, expiresAt } of this.#rules) {
      const nowMs = context.engine.clock.now()
      for (const document of context.cache.snapshot().values()) {
        if (this.#stop.signal.aborted) return
        if ((expiresAt(document.object) ?? Number.POSITIVE_INFINITY) <= nowMs) await this.#remove(context, document)
      }
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stop.abort()
    await this.#sweeping
  }

  async #remove(context: ResourceContext, id: { readonly namespace: string; readonly name: string }): Promise<void> {
    const request = systemRequest(manager, this.#stop.signal)
    try {
      await deleteObject(context, id, { gracePeriodSeconds: 0, dryRun: false }, request)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404)) this.#report(manager, `${id.namespace}/${id.name}`, error)
    }
  }
}
