import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { monotonicClock, timestamp } from '../../base/clock.ts'
import { Pace, paced } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { parseRelativeKey, relativeKey } from '../../registry/storage-key.ts'
import type { ChangeEvent } from '../../registry/watch/event.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import type { News } from '../run/event-limits.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { reporting } from '../run/report-failure.ts'
import { ControllerWriter } from '../run/writer.ts'
import type { NodePlacement, PlacementRequirements, ScheduledFacts } from './contract.ts'
import { placePod } from './place-pod.ts'
import { PlacementRound, type Waiting } from './placement-round.ts'
import { nodeFactsFrom, schedulerName } from './scheduled-facts.ts'
import { SchedulerState } from './scheduler-state.ts'
import { unscheduled } from './unscheduled.ts'
import { WaitingPods } from './waiting-pods.ts'

export interface SchedulerOptions {
  readonly pods: ResourceContext
  /** Already loaded. */
  readonly podsKnown: OwnedObjects<ScheduledFacts>
  readonly nodes: ResourceContext
  readonly namespaces: ResourceContext
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Queue entry for all new Pods: the most important one comes first. */
const newPods = 'new'
/** Queue entry for all Pods without a node. */
const refusedPods = 'refused'

/** However much changes, Pods without a node are retried no more often. */
const retryMs = 1_000

/** Writes wait for the store: more workers than cores, so that they share its batches. */
const workers = 16

interface WaitingPod extends Waiting {
  readonly facts: ScheduledFacts
  readonly wish: PlacementRequirements
}

/** Assigns Pods to nodes, or reports why there is none for them. */
export class Scheduler implements Controller {
  readonly #options: SchedulerOptions
  readonly #state: SchedulerState
  readonly #waiting = new WaitingPods()
  /** Pods for which no node was found, and why. */
  readonly #refused = new Map<string, string>()
  /** Decisions that are not written yet. */
  readonly #decisions = new Map<string, NodePlacement>()
  readonly #loop: Reconciler
  readonly #commits: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  #retriedMs = Number.NEGATIVE_INFINITY
  /** Counts changes that decisions depend on. */
  #changeCount = 0

  constructor(options: SchedulerOptions) {
    this.#options = options
    const { podsKnown, nodes, namespaces, events, report, mayWrite } = options
    const failed = reporting(schedulerName, report)
    this.#state = new SchedulerState((name) => namespaces.cache.get({ namespace: '', name })?.labels)
    this.#loop = new Reconciler({ reconcile: (which) => this.#reconcile(which), failed, workers: 1 })
    const measured = { metrics: nodes.engine.metrics, name: schedulerName }
    this.#commits = new Reconciler({ reconcile: (key) => this.#commit(key), failed, workers, measured })
    const { signal } = this.#commits
    this.#writer = new ControllerWriter({ controller: schedulerName, fieldManager: 'kube-scheduler', signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: schedulerName, report, mayWrite })
    for (const { object } of nodes.cache.current().values()) this.#state.putNode(nodeFactsFrom(object))
    for (const pod of podsKnown.all()) this.#observe(relativeKey(pod), pod)
    this.#loop.follow(
      nodes.cache.listen((changes) => this.#nodesChanged(changes)),
      namespaces.cache.listen(() => this.#changed()),
      podsKnown.listen((change) => this.#podChanged(change)),
    )
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#commits.stop()
    await this.#recorder.stop()
  }

  #nodesChanged(changes: readonly ChangeEvent[]): void {
    for (const { type, document } of changes) {
      if (type === 'DELETED') this.#state.removeNode(document.name)
      else this.#state.putNode(nodeFactsFrom(document.object))
    }
    this.#changed()
  }

  #podChanged({ before, after }: OwnedChange<ScheduledFacts>): void {
    const pod = after ?? before
    if (pod !== undefined) this.#observe(relativeKey(pod), after)
  }

  #observe(key: string, pod: ScheduledFacts | undefined): void {
    const decision = this.#decisions.get(key)
    const boundTo = decision?.placement === 'bind' && decision.uid === pod?.uid ? decision.node : undefined
    if (pod?.wish === undefined) this.#refused.delete(key)
    // Retried with the other refused Pods, or it would precede more important ones.
    else if (this.#refused.has(key)) this.#changed()
    else if (boundTo === undefined) this.#wait(key, pod.priority)
    const isOnItsWay = pod !== undefined && pod.nodeName === '' && boundTo !== undefined
    const hasChanged = this.#state.putPod(key, isOnItsWay ? { ...pod, nodeName: boundTo } : pod)
    if (hasChanged) this.#changed()
  }

  #wait(key: string, priority: number): void {
    this.#waiting.add(key, priority)
    this.#loop.add(newPods)
  }

  #changed(): void {
    this.#changeCount++
    if (this.#refused.size === 0) return
    this.#loop.addAfter(refusedPods, Math.max(0, this.#retriedMs + retryMs - monotonicClock.now()))
  }

  async #reconcile(which: string): Promise<void> {
    await caughtUp(this.#options.pods.engine)
    if (which === refusedPods) this.#waitAgain()
    const round = new PlacementRound<WaitingPod>({
      waiting: this.#waiting,
      podOf: (key) => this.#waitingPod(key),
      place: ({ wish }) => placePod(wish, this.#state.nodes(), this.#state),
      decided: (pod, placement) => this.#decided(pod, placement),
      changeCount: () => this.#changeCount,
    })
    await paced(round.steps(), new Pace())
  }

  #waitAgain(): void {
    this.#retriedMs = monotonicClock.now()
    for (const key of this.#refused.keys()) {
      const pod = this.#options.podsKnown.get(parseRelativeKey(key))
      if (pod?.wish !== undefined) this.#waiting.add(key, pod.priority)
    }
  }

  #waitingPod(key: string): WaitingPod | undefined {
    const facts = this.#options.podsKnown.get(parseRelativeKey(key))
    if (facts?.wish === undefined || this.#isBeingBound(key, facts)) return undefined
    return { key, priority: facts.priority, facts, wish: facts.wish }
  }

  #decided({ key, facts }: WaitingPod, placement: NodePlacement): void {
    if (placement.placement === 'bind') {
      this.#refused.delete(key)
      this.#state.putPod(key, { ...facts, nodeName: placement.node })
    } else {
      if (this.#refused.get(key) === placement.message) return
      this.#refused.set(key, placement.message)
    }
    this.#decisions.set(key, placement)
    this.#commits.add(key)
  }

  #isBeingBound(key: string, { uid }: ScheduledFacts): boolean {
    const decision = this.#decisions.get(key)
    return decision?.placement === 'bind' && decision.uid === uid
  }

  async #commit(key: string): Promise<void> {
    const decision = this.#decisions.get(key)
    if (decision === undefined) return
    try {
      await this.#write(key, decision)
    } catch (error) {
      // The Pod is gone, was replaced, or has a node.
      if (!isRefusal(error, 404, 409)) throw error
    }
    if (this.#decisions.get(key) === decision) this.#decisions.delete(key)
    this.#observe(key, this.#options.podsKnown.get(parseRelativeKey(key)))
  }

  async #write(key: string, decision: NodePlacement): Promise<void> {
    const { pods } = this.#options
    const id = parseRelativeKey(key)
    const { uid } = decision
    if (decision.placement === 'bind') {
      const { node } = decision
      await this.#writer.bind(pods, id, {
        uid,
        resourceVersion: '',
        annotations: {},
        target: { kind: 'Node', name: node },
      })
      const message = `Successfully assigned ${key} to ${node}`
      this.#record(key, uid, { type: 'Normal', reason: 'Scheduled', message })
      return
    }
    const { message } = decision
    let isNews = false
    const edit = (object: KubeObject) => {
      const told = unscheduled(object as Pod, uid, message, timestamp(pods.engine.clock.now()))
      isNews = told !== undefined
      return told
    }
    await this.#writer.edit(pods, id, edit, 'status')
    if (isNews) this.#record(key, uid, { type: 'Warning', reason: 'FailedScheduling', message })
  }

  #record(key: string, uid: string, news: News): void {
    this.#recorder.record({ apiVersion: 'v1', kind: 'Pod', metadata: { ...parseRelativeKey(key), uid } }, news)
  }
}
