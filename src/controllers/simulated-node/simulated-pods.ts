import { isRefusal } from '../../api/error.ts'
import { objectKeyOf } from '../../api/object.ts'
import type { Pod, PodStatus } from '../../api/types/core-v1.ts'
import { monotonicClock } from '../../base/clock.ts'
import { Pace } from '../../base/pace.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId, StoredDocument } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { ChangeEvent } from '../../registry/watch/event.ts'
import { hasEnded } from '../pods/pod-facts.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { PodAddresses } from './pod-addresses.ts'
import { isProbed, type LifeStep, nextLifeStep } from './pod-life.ts'
import { completedStatus, debuggedStatus, readyStatus, runningStatus, stoppedStatus } from './pod-status.ts'
import { type SimulatedTimes, simulatedNodeName, simulatedPodRange } from './settings.ts'

const controller = 'simulated-pods'

/** Every Pod of the node contains it, and hardly any other: those need not be parsed. */
const mark = `"nodeName":"${simulatedNodeName}"`

/** The next step of a Pod, and when the time to it began. */
interface Underway {
  readonly uid: string
  readonly step: LifeStep['step']
  readonly sinceMs: number
}

export interface SimulatedPodsOptions {
  readonly pods: ResourceContext
  readonly times: SimulatedTimes
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Writes what a kubelet would write about the Pods of the simulated node, without running anything. */
export class SimulatedPods implements Controller {
  readonly #options: SimulatedPodsOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #addresses = new PodAddresses(simulatedPodRange)
  readonly #underway = new Map<string, Underway>()
  /** No address is assigned before all addresses in use are known. */
  readonly #loaded: Promise<void>

  constructor(options: SimulatedPodsOptions) {
    this.#options = options
    const { pods, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: pods.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, fieldManager: 'kubelet', signal: this.#loop.signal, mayWrite })
    this.#loop.follow(pods.cache.listen((changes) => this.#podsChanged(changes)))
    this.#loaded = this.#load()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#loaded
  }

  /** In steps: there may be many. */
  async #load(): Promise<void> {
    const { cache } = this.#options.pods
    const pace = new Pace()
    for (const document of cache.snapshot().values()) {
      await pace.step()
      if (this.#loop.signal.aborted) return
      if (cache.get(document) === document && document.contains(mark)) this.#begin(document)
    }
  }

  #begin(document: StoredDocument): void {
    const { status } = document.object as Pod
    if (status.podIP !== undefined) this.#addresses.note(relativeKey(document), status.podIP)
    this.#loop.add(relativeKey(document))
  }

  #podsChanged(changes: readonly ChangeEvent[]): void {
    for (const { type, document } of changes) {
      if (type === 'DELETED') this.#forget(relativeKey(document))
      else if (document.contains(mark)) this.#loop.add(relativeKey(document))
    }
  }

  #forget(key: string): void {
    this.#addresses.release(key)
    this.#underway.delete(key)
  }

  async #reconcile(id: ObjectId): Promise<void> {
    await this.#loaded
    const { pods, times } = this.#options
    const pod = pods.cache.get(id)?.object as Pod | undefined
    if (pod?.spec.nodeName !== simulatedNodeName) return
    const key = relativeKey(id)
    const next = nextLifeStep(pod, times)
    if (next === undefined) {
      this.#underway.delete(key)
      return
    }
    const inMs = this.#sinceMs(key, pod, next) + next.afterMs - monotonicClock.now()
    if (inMs > 0) requeueAfter(this.#loop, key, inMs)
    else await this.#take(key, pod, next)
  }

  #sinceMs(key: string, { metadata }: Pod, { step }: LifeStep): number {
    const { uid = '' } = metadata
    const known = this.#underway.get(key)
    if (known?.uid === uid && known.step === step) return known.sinceMs
    const sinceMs = monotonicClock.now()
    this.#underway.set(key, { uid, step, sinceMs })
    return sinceMs
  }

  async #take(key: string, pod: Pod, { step }: LifeStep): Promise<void> {
    const nowMs = this.#options.pods.engine.clock.now()
    switch (step) {
      case 'start':
        return this.#report(pod, this.#started(key, pod, nowMs))
      case 'ready':
        return this.#report(pod, readyStatus(pod, nowMs))
      case 'debug':
        return this.#report(pod, debuggedStatus(pod, nowMs))
      case 'complete':
        return this.#report(pod, completedStatus(pod, nowMs))
      case 'remove':
        return this.#remove(pod, nowMs)
    }
  }

  #started(key: string, pod: Pod, nowMs: number): PodStatus {
    const status = runningStatus(pod, this.#addresses.take(key), nowMs)
    const isReady = this.#options.times.readyMs === 0 || !isProbed(pod)
    return isReady ? readyStatus({ ...pod, status }, nowMs) : status
  }

  /** If the Pod has changed meanwhile, that change triggers the next reconciliation. */
  async #report(pod: Pod, status: PodStatus): Promise<void> {
    await this.#writer.replace(this.#options.pods, pod, { ...pod, status }, 'status')
  }

  /** A controller that keeps the Pod by a finalizer must know how it ended. */
  async #remove(pod: Pod, nowMs: number): Promise<void> {
    const { pods } = this.#options
    const isKept = (pod.metadata.finalizers ?? []).length > 0
    if (isKept && !hasEnded(pod.status.phase ?? '')) await this.#report(pod, stoppedStatus(pod, nowMs))
    try {
      await this.#writer.deleteNow(pods, { ...objectKeyOf(pod), uid: pod.metadata.uid ?? '' })
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}
