import { isRefusal } from '../../api/error.ts'
import { Pace } from '../../base/pace.ts'
import type { ResourceContext } from '../context.ts'
import type { StoredDocument } from '../document.ts'
import { parseRelativeKey, relativeKey } from '../storage-key.ts'
import { deleteObject } from '../verbs/delete.ts'
import type { Controller, ReportError } from './controller.ts'
import { systemRequest } from './system-request.ts'

const manager = 'expiry-controller'

export interface ExpiryRule {
  readonly context: ResourceContext
  /**
   * When the object expires, in milliseconds since the epoch; undefined for never. Called once for each state of the
   * object.
   */
  readonly expiresAt: (document: StoredDocument) => number | undefined
}

/** The objects that wait to expire under one rule. */
interface Waiting {
  readonly rule: ExpiryRule
  readonly times: Map<string, number>
}

/** Deletes expired objects: old events, and objects whose grace period is over. */
export class ExpiryController implements Controller {
  readonly #waiting: readonly Waiting[]
  readonly #report: ReportError
  readonly #unsubscribe: readonly (() => void)[]
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> = Promise.resolve()

  constructor(rules: readonly ExpiryRule[], intervalMs: number, report: ReportError) {
    this.#report = report
    this.#waiting = rules.map((rule) => ({ rule, times: new Map() }))
    this.#unsubscribe = this.#waiting.map((each) => this.#follow(each))
    this.#timer = setInterval(() => {
      this.#sweeping = this.#sweeping.then(() => this.sweep())
    }, intervalMs).unref()
  }

  async sweep(): Promise<void> {
    const pace = new Pace()
    for (const { rule, times } of this.#waiting) {
      const nowMs = rule.context.engine.clock.now()
      for (const [key, time] of times) {
        if (this.#stop.signal.aborted) return
        if (time > nowMs) continue
        await pace.step()
        await this.#remove(rule.context, key)
      }
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#stop.abort()
    await this.#sweeping
  }

  #follow({ rule, times }: Waiting): () => void {
    const { cache } = rule.context
    const note = (document: StoredDocument): void => {
      const time = rule.expiresAt(document)
      if (time === undefined) times.delete(relativeKey(document))
      else times.set(relativeKey(document), time)
    }
    for (const document of cache.current().values()) note(document)
    return cache.listen((events) => {
      for (const { type, document } of events) {
        if (type === 'DELETED') times.delete(relativeKey(document))
        else note(document)
      }
    })
  }

  async #remove(context: ResourceContext, key: string): Promise<void> {
    const request = systemRequest(manager, this.#stop.signal)
    try {
      await deleteObject(context, parseRelativeKey(key), { gracePeriodSeconds: 0, dryRun: false }, request)
    } catch (error) {
      if (!isRefusal(error, 404)) this.#report(manager, key, error)
    }
  }
}
