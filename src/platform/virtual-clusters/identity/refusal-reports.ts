import { Reconciler } from '../../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { Controller, ReportError } from '../../../registry/controllers/controller.ts'
import { ensureObject } from '../../../registry/controllers/ensure.ts'
import type { ObjectId } from '../../../registry/document.ts'
import { editObject } from '../../../registry/verbs/edit.ts'
import { platformRequest } from '../../platform-user.ts'
import { linkStateOf } from '../link-state.ts'
import { withProvenCondition } from './identity-status.ts'
import type { ProofRefusal } from './proof-refused.ts'
import { countedAgain, refusalEvent, refusalMessage, refusalReason } from './refusal-event.ts'

const manager = 'identity'
/** The shortest time between two writes about one virtual cluster, however often callers are refused. */
const intervalMs = 10_000

export interface RefusalReportsOptions {
  readonly virtualClusters: () => ResourceContext
  readonly events: () => ResourceContext
  readonly report: ReportError
}

interface Waiting {
  readonly refusal: ProofRefusal
  readonly times: number
}

/** Reports on a virtual cluster that a caller used its name without its proof and was refused. */
export class RefusalReports implements Controller {
  readonly #options: RefusalReportsOptions
  readonly #loop: Reconciler
  readonly #waiting = new Map<string, Waiting>()
  readonly #writtenMs = new Map<string, number>()

  constructor(options: RefusalReportsOptions) {
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (id) => this.#write(id),
      failed: (id, error) => options.report(manager, id, error),
    })
  }

  refused(refusal: ProofRefusal): void {
    const id = `${refusal.namespace}/${refusal.name}`
    const before = this.#waiting.get(id)
    this.#waiting.set(id, { refusal, times: (before?.times ?? 0) + 1 })
    if (before !== undefined) return
    const nextMs = (this.#writtenMs.get(id) ?? 0) + intervalMs
    this.#loop.addAfter(id, Math.max(0, nextMs - this.#nowMs()))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #write(id: string): Promise<void> {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    this.#remember(id)
    const { refusal, times } = waiting
    await this.#tell(refusal, times)
    await this.#markUnproven(refusal)
  }

  async #tell(refusal: ProofRefusal, times: number): Promise<void> {
    const { virtualClusters, events } = this.#options
    const object = virtualClusters().cache.get(refusal)?.object
    if (object === undefined) return
    const event = refusalEvent(virtualClusters().kind, object, refusal, this.#nowMs())
    const { namespace = '', name = '' } = event.metadata
    const request = platformRequest(manager, this.#loop.signal)
    const again = (before: typeof event) => countedAgain(before, times, this.#nowMs())
    const isThere = await editObject(events(), { namespace, name }, again, request)
    if (!isThere) await ensureObject(events(), { ...event, count: times }, request)
  }

  /** A virtual cluster that is linked has proven its identity; refused attempts by other callers do not change that. */
  async #markUnproven(refusal: ProofRefusal): Promise<void> {
    const instances = this.#options.virtualClusters()
    const document = instances.cache.get(refusal)
    if (document === undefined || linkStateOf(document).isOnline) return
    const condition = { status: 'False', reason: refusalReason(refusal), message: refusalMessage(refusal) } as const
    const request = platformRequest(manager, this.#loop.signal, 'status')
    const id: ObjectId = refusal
    await editObject(instances, id, (object) => withProvenCondition(object, condition, this.#nowMs()), request)
  }

  #remember(id: string): void {
    const nowMs = this.#nowMs()
    for (const [each, atMs] of this.#writtenMs) if (nowMs - atMs >= intervalMs) this.#writtenMs.delete(each)
    this.#writtenMs.set(id, nowMs)
  }

  #nowMs(): number {
    return this.#options.virtualClusters().engine.clock.now()
  }
}
