import { isRefusal } from '../../api/error.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import type { MayWrite } from '../run/leading.ts'
import { reporting } from '../run/report-failure.ts'
import { ControllerWriter } from '../run/writer.ts'
import { hasEnded, type PodFacts } from './pod-facts.ts'

const controller = 'pod-garbage-collector'

/** As many as Kubernetes keeps, and how often it looks. */
const usualMost = 12_500
const usualIntervalMs = 20_000

const sweep = 'sweep'

export interface EndedPodsOptions {
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly report: ReportError
  readonly mayWrite: MayWrite
  readonly most?: number
  readonly intervalMs?: number
}

/** Removes Pods that have ended, the oldest first, where there are too many. The others stay for people to look at. */
export class EndedPods implements Controller {
  readonly #options: EndedPodsOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter

  constructor(options: EndedPodsOptions) {
    this.#options = options
    const { report, mayWrite, intervalMs = usualIntervalMs } = options
    this.#loop = new Reconciler({ reconcile: () => this.#sweep(), failed: reporting(controller, report) })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#loop.every(intervalMs, () => this.#loop.add(sweep))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #sweep(): Promise<void> {
    const { podsKnown, most = usualMost } = this.#options
    for (const pod of surplus(podsKnown.all(), most)) await this.#remove(pod)
  }

  async #remove(pod: PodFacts): Promise<void> {
    try {
      await this.#writer.delete(this.#options.pods, pod)
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}

function surplus(pods: Iterable<PodFacts>, most: number): readonly PodFacts[] {
  const ended = [...pods].filter(({ phase, isBeingDeleted }) => hasEnded(phase) && !isBeingDeleted)
  const count = Math.max(0, ended.length - most)
  return ended.toSorted((left, right) => left.createdMs - right.createdMs).slice(0, count)
}
