import type { KubeObject } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { DaemonSet } from '../../api/types/apps-v1.ts'
import { monotonicClock } from '../../base/clock.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import type { Selecting } from '../ownership/affected-owners.ts'
import { claimDependents } from '../ownership/commit-claims.ts'
import { ownedFrom, ownerId } from '../ownership/owned.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { nextAvailableMs } from '../pods/next-available.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { type PodOutcome, PodWrites } from '../pods/pod-writes.ts'
import type { RevisionFacts } from '../revisions/revision-facts.ts'
import { RevisionHistory } from '../revisions/revision-history.ts'
import type { News } from '../run/event-limits.ts'
import type { MayWrite } from '../run/leading.ts'
import { WorkloadLoop } from '../run/workload-loop.ts'
import type { DaemonNode } from './daemon-node.ts'
import { daemonHashLabel, daemonPods } from './daemon-pod.ts'
import { FailedBackoff } from './failed-backoff.ts'
import { knownFits } from './known-fits.ts'
import { MovedNodes } from './moved-nodes.ts'
import { type DaemonPlacement, daemonPlacement } from './placement.ts'
import { type DaemonSetPlan, type EndedDaemon, planDaemonSet } from './plan.ts'
import type { DaemonSetState } from './state.ts'
import { daemonSetStatus } from './status.ts'

const controller = 'daemonset-controller'

export interface DaemonSetFacts extends Selecting {
  readonly fitOf: DaemonPlacement
}

export interface DaemonSetControllerOptions {
  readonly daemonSets: ResourceContext
  readonly daemonSetsKnown: OwnedObjects<DaemonSetFacts>
  readonly nodesKnown: OwnedObjects<DaemonNode>
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly revisions: ResourceContext
  readonly revisionsKnown: OwnedObjects<RevisionFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

export function daemonSetFactsFrom(object: KubeObject): DaemonSetFacts {
  const { spec } = object as DaemonSet
  return {
    ...ownedFrom(object),
    selector: labelSelectorFrom(spec.selector),
    fitOf: daemonPlacement(spec.template.spec),
  }
}

/** Keeps one Pod of a DaemonSet on each matching Node. */
export class DaemonSetController implements Controller {
  readonly #options: DaemonSetControllerOptions
  readonly #loop: WorkloadLoop
  readonly #history: RevisionHistory
  readonly #podWrites: PodWrites
  readonly #backoff = new FailedBackoff(monotonicClock)

  constructor(options: DaemonSetControllerOptions) {
    this.#options = options
    const { daemonSets, daemonSetsKnown, nodesKnown, pods, podsKnown, revisions, revisionsKnown } = options
    const { events, report, mayWrite } = options
    const reconcile = (id: ObjectId) => this.#reconcile(id)
    const loop = new WorkloadLoop({
      controller,
      owners: daemonSets,
      ownersKnown: daemonSetsKnown,
      reconcile,
      events,
      report,
      mayWrite,
    })
    const { writer, recorder } = loop
    this.#loop = loop
    this.#podWrites = new PodWrites({ pods, writer, recorder })
    this.#history = new RevisionHistory({ owners: daemonSets, revisions, revisionsKnown, writer, marks })
    const movedNodes = new MovedNodes({
      daemonSets: () => daemonSetsKnown.all(),
      concern: (each) => loop.add(each),
      signal: loop.signal,
    })
    loop.follow(
      nodesKnown.listen((change) => movedNodes.add(change)),
      podsKnown.listen((change) => loop.dependentChanged(change)),
      revisionsKnown.listen((change) => loop.dependentChanged(change)),
    )
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const found = this.#options.daemonSets.cache.get(id)?.object
    // The Pods and revisions of a deleted DaemonSet are garbage-collected with it, or orphaned.
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
    const daemonSet = found as DaemonSet
    const selector = labelSelectorFrom(daemonSet.spec.selector)
    await this.#claim(daemonSet)
    const known = await this.#history.claim(daemonSet, selector)
    const revision = await this.#history.current(daemonSet, known)
    if (revision === undefined) return
    const hash = hashOf(revision)
    const fitOf = await knownFits(this.#options.nodesKnown.all(), daemonPlacement(daemonSet.spec.template.spec))
    const state = this.#stateOf(daemonSet, hash, fitOf)
    const plan = planDaemonSet(state)
    const outcomes = await this.#act(daemonSet, hash, plan)
    await this.#writeStatus(daemonSet, hash, fitOf)
    for (const { failure, error } of outcomes) if (failure !== undefined) throw error
    const inUse = new Set([hash, ...state.pods.map(({ labels }) => labels[daemonHashLabel])])
    await this.#history.trim(daemonSet, known, (each) => inUse.has(hashOf(each)))
    this.#requeueLater(daemonSet, plan, outcomes)
  }

  async #claim(daemonSet: DaemonSet): Promise<void> {
    const { daemonSets: owners, pods: dependents, podsKnown: known } = this.#options
    const selector = labelSelectorFrom(daemonSet.spec.selector)
    await claimDependents(this.#loop.writer, { owners, dependents, known }, { owner: daemonSet, selector })
  }

  /** As new as the latest write. */
  #stateOf(daemonSet: DaemonSet, hash: string, fitOf: DaemonPlacement): DaemonSetState {
    const { nodesKnown, podsKnown, daemonSets } = this.#options
    const selector = labelSelectorFrom(daemonSet.spec.selector)
    return {
      daemonSet,
      nodes: nodesKnown.all(),
      fitOf,
      pods: podsKnown.ownedBy(ownerId(daemonSet)).filter(({ labels }) => selector.matches(labels)),
      hash,
      mayReplace: (node) => this.#backoff.remainingMs(placeKey(daemonSet, node)) === 0,
      nowMs: daemonSets.engine.clock.now(),
    }
  }

  async #act(daemonSet: DaemonSet, hash: string, plan: DaemonSetPlan): Promise<readonly PodOutcome[]> {
    for (const each of plan.ended) this.#tellEnded(daemonSet, each)
    const podFor = daemonPods(daemonSet, hash)
    return [
      await this.#podWrites.create(daemonSet, plan.create.length, (index) => podFor(plan.create[index] ?? '')),
      await this.#podWrites.remove(daemonSet, plan.remove),
    ]
  }

  #tellEnded(daemonSet: DaemonSet, { node, pod }: EndedDaemon): void {
    if (pod.phase === 'Failed') this.#backoff.note(placeKey(daemonSet, node))
    this.#loop.recorder.record(daemonSet, endedNews(node, pod))
  }

  async #writeStatus(daemonSet: DaemonSet, hash: string, fitOf: DaemonPlacement): Promise<void> {
    await this.#loop.writeStatus(daemonSet, daemonSetStatus(this.#stateOf(daemonSet, hash, fitOf)))
  }

  /** Requeues for when the next Pod becomes available, may be created, or may be replaced. */
  #requeueLater(daemonSet: DaemonSet, { waiting }: DaemonSetPlan, outcomes: readonly PodOutcome[]): void {
    const { podsKnown, daemonSets } = this.#options
    const nowMs = daemonSets.engine.clock.now()
    const pods = podsKnown.ownedBy(ownerId(daemonSet))
    const atMs = nextAvailableMs(pods, daemonSet.spec.minReadySeconds ?? 0, nowMs)
    this.#loop.requeueLater(ownedFrom(daemonSet), [
      ...outcomes.map(({ nextInMs }) => nextInMs),
      ...waiting.map((node) => this.#backoff.remainingMs(placeKey(daemonSet, node))),
      atMs === undefined ? undefined : atMs - nowMs,
    ])
  }
}

function marks({ metadata }: KubeObject, hash: string) {
  return { labels: { [daemonHashLabel]: hash }, annotations: metadata.annotations }
}

/** A revision made by another controller may lack the label. */
function hashOf({ labels, name }: RevisionFacts): string {
  return labels[daemonHashLabel] ?? name
}

/** A change of the DaemonSet resets the backoff. */
function placeKey({ metadata }: DaemonSet, node: string): string {
  return `${metadata.uid}/${metadata.generation}/${node}`
}

function endedNews(node: string, { namespace, name, phase }: PodFacts): News {
  if (phase === 'Failed') {
    const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`
    return { type: 'Warning', reason: 'FailedDaemonPod', message }
  }
  const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`
  return { type: 'Normal', reason: 'SucceededDaemonPod', message }
}
