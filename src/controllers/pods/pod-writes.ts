import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { monotonicClock } from '../../base/clock.ts'
import { errorText } from '../../base/error-text.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { CreationRate } from '../run/creation-rate.ts'
import type { ControllerEvents } from '../run/event-recorder.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import { slowStart } from '../run/slow-start.ts'
import type { ControllerWriter } from '../run/writer.ts'
import type { PodFacts } from './pod-facts.ts'

export interface PodFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete'
  readonly message: string
}

export interface PodOutcome {
  readonly failure?: PodFailure
  readonly error?: unknown
  /** When more Pods may be created; undefined if the rate limit holds none back. */
  readonly nextInMs?: number | undefined
}

export const podsDone: PodOutcome = {}

export interface PodWritesOptions {
  readonly pods: ResourceContext
  readonly writer: ControllerWriter
  readonly recorder: ControllerEvents
}

/** Creates Pods with generated names, and deletes them, with the usual Events of Kubernetes. */
export class PodWrites {
  readonly #options: PodWritesOptions
  readonly #rate = new CreationRate(monotonicClock)

  constructor(options: PodWritesOptions) {
    this.#options = options
  }

  /**
   * Creates as many as the rate limit allows. `podAt` is called for each; it should return the same object for Pods
   * with the same content.
   */
  async create(owner: KubeObject, wanted: number, podAt: (index: number) => KubeObject): Promise<PodOutcome> {
    const { pods, writer, recorder } = this.#options
    const { count, nextInMs } = this.#rate.take(owner.metadata.namespace ?? '', wanted)
    const creators = new Map<KubeObject, () => Promise<string>>()
    const creatorOf = (pod: KubeObject) => {
      const known = creators.get(pod) ?? writer.creator(pods, pod)
      creators.set(pod, known)
      return known
    }
    const { failure } = await slowStart(count, async (index) => {
      const name = await creatorOf(podAt(index))()
      recorder.record(owner, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` })
    })
    if (failure === undefined || isNamespaceTerminating(failure)) return { nextInMs }
    const message = errorText(failure)
    recorder.record(owner, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${message}` })
    return { failure: { reason: 'FailedCreate', message }, error: failure }
  }

  async remove(owner: KubeObject, surplus: readonly PodFacts[]): Promise<PodOutcome> {
    const outcomes = await Promise.allSettled(surplus.map((pod) => this.#removeOne(owner, pod)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed === undefined) return podsDone
    const message = errorText(failed.reason)
    this.#options.recorder.record(owner, {
      type: 'Warning',
      reason: 'FailedDelete',
      message: `Error deleting: ${message}`,
    })
    return { failure: { reason: 'FailedDelete', message }, error: failed.reason }
  }

  async #removeOne(owner: KubeObject, pod: PodFacts): Promise<void> {
    const { pods, writer, recorder } = this.#options
    try {
      await writer.delete(pods, pod)
    } catch (error) {
      if (isRefusal(error, 404, 409)) return
      throw error
    }
    recorder.record(owner, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.name}` })
  }
}
