import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { asDisrupted } from '../../registry/pods/disruption-target.ts'
import type { DaemonNode } from '../daemon-set/daemon-node.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts'
import type { MayWrite } from '../run/leading.ts'
import { reporting } from '../run/report-failure.ts'
import { tryAll } from '../run/try-all.ts'
import { ControllerWriter } from '../run/writer.ts'
import { awaySince, type PodRemoval, strandedPods, surplusPods } from './plan.ts'

const controller = 'pod-garbage-collector'

/** How many Kubernetes keeps, how often it looks, and how long it waits for a node to return. */
const usualMost = 12_500
const usualIntervalMs = 20_000
const usualQuarantineMs = 40_000

const sweep = 'sweep'

export interface PodCollectorOptions {
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  /** Absent if Pods run on nodes that the cluster need not show: then only finished Pods are collected. */
  readonly nodesKnown?: OwnedObjects<DaemonNode> | undefined
  readonly report: ReportError
  readonly mayWrite: MayWrite
  readonly most?: number
  readonly intervalMs?: number
  readonly quarantineMs?: number
}

/** Removes finished Pods if there are too many, and Pods that no node will ever end. */
export class PodCollector implements Controller {
  readonly #options: PodCollectorOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  #away: ReadonlyMap<string, number> = new Map()

  constructor(options: PodCollectorOptions) {
    this.#options = options
    const { pods, report, mayWrite, intervalMs = usualIntervalMs } = options
    this.#loop = new Reconciler({
      reconcile: () => this.#sweep(),
      failed: reporting(controller, report),
      measured: { metrics: pods.engine.metrics, name: controller },
    })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#loop.every(intervalMs, () => this.#loop.add(sweep))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #sweep(): Promise<void> {
    const { pods, podsKnown, most = usualMost } = this.#options
    await caughtUp(pods.engine)
    const removals = [...surplusPods(podsKnown.all(), most), ...this.#stranded()]
    await tryAll(removals, (removal) => this.#remove(removal))
  }

  #stranded(): readonly PodRemoval[] {
    const { pods, podsKnown, nodesKnown, quarantineMs = usualQuarantineMs } = this.#options
    if (nodesKnown === undefined) return []
    const nowMs = pods.engine.clock.now()
    const taintsOf = (name: string) => nodesKnown.get({ namespace: '', name })?.taints
    const isThere = (name: string) => nodesKnown.isStored({ namespace: '', name })
    this.#away = awaySince(podsKnown.all(), isThere, this.#away, nowMs)
    const gone = new Set([...this.#away].filter(([, sinceMs]) => nowMs - sinceMs >= quarantineMs).map(([name]) => name))
    return strandedPods(podsKnown.all(), { taintsOf, gone })
  }

  async #remove({ pod, message }: PodRemoval): Promise<void> {
    const { pods } = this.#options
    try {
      if (!hasEnded(pod.phase)) await this.#markFailed(pod, message)
      await this.#writer.deleteNow(pods, pod)
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }

  /** Done first, since a finalizer may keep the Pod: its Job must know how it ended. */
  async #markFailed(pod: PodFacts, message: string | undefined): Promise<void> {
    const { pods } = this.#options
    const disrupted = message === undefined ? unchanged : disruptedBy(message, pods.engine.clock.now())
    const failed = (object: KubeObject) =>
      object.metadata.uid === pod.uid && !hasEnded((object as Pod).status.phase ?? '')
        ? asFailed(disrupted(object))
        : undefined
    await this.#writer.edit(pods, pod, failed, 'status')
  }
}

function disruptedBy(message: string, nowMs: number): (pod: KubeObject) => KubeObject {
  return asDisrupted('DeletionByPodGC', message, nowMs)
}

function unchanged(pod: KubeObject): KubeObject {
  return pod
}

function asFailed(object: KubeObject): KubeObject {
  return { ...object, status: { ...(object as Pod).status, phase: 'Failed' } }
}
