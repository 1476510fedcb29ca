import type { KubeObject } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { StatefulSet } from '../../api/types/apps-v1.ts'
import { monotonicClock } from '../../base/clock.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import type { Selecting } from '../ownership/affected-owners.ts'
import { claimDependents } from '../ownership/commit-claims.ts'
import { ownedFrom, ownerId } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { nextAvailableMs } from '../pods/next-available.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import type { RevisionFacts } from '../revisions/revision-facts.ts'
import { RevisionHistory } from '../revisions/revision-history.ts'
import { CreationRate } from '../run/creation-rate.ts'
import type { MayWrite } from '../run/leading.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import { slowStart } from '../run/slow-start.ts'
import { WorkloadLoop } from '../run/workload-loop.ts'
import { ClaimWrites } from './claim-writes.ts'
import { identityIn, isWanted, podsByOrdinal, revisionLabel } from './identity.ts'
import { planStatefulSet, type StatefulSetPlan } from './plan.ts'
import type { OrdinalPod } from './state.ts'
import { StatefulPodWrites } from './stateful-pod-writes.ts'
import { type RevisionNames, statefulSetStatus } from './status.ts'
import type { ClaimUser } from './volume-claims.ts'

const controller = 'statefulset-controller'
const hashLabel = 'controller.kubernetes.io/hash'

export interface StatefulSetControllerOptions {
  readonly statefulSets: ResourceContext
  readonly statefulSetsKnown: OwnedObjects<Selecting>
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly revisions: ResourceContext
  readonly revisionsKnown: OwnedObjects<RevisionFacts>
  readonly claims: ResourceContext
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

export function statefulSetFactsFrom(object: KubeObject): Selecting {
  return { ...ownedFrom(object), selector: labelSelectorFrom((object as StatefulSet).spec.selector) }
}

/** Gives a StatefulSet its Pods, each with a stable name and claims. */
export class StatefulSetController implements Controller {
  readonly #options: StatefulSetControllerOptions
  readonly #loop: WorkloadLoop
  readonly #history: RevisionHistory
  readonly #claimWrites: ClaimWrites
  readonly #podWrites: StatefulPodWrites
  readonly #rate = new CreationRate(monotonicClock)

  constructor(options: StatefulSetControllerOptions) {
    this.#options = options
    const { statefulSets, statefulSetsKnown, pods, podsKnown, revisions, revisionsKnown, claims } = options
    const { events, report, mayWrite } = options
    const reconcile = (id: ObjectId) => this.#reconcile(id)
    const loop = new WorkloadLoop({
      controller,
      owners: statefulSets,
      ownersKnown: statefulSetsKnown,
      reconcile,
      events,
      report,
      mayWrite,
    })
    const { writer, recorder } = loop
    const claimWrites = new ClaimWrites({ claims, writer, recorder })
    this.#loop = loop
    this.#claimWrites = claimWrites
    this.#podWrites = new StatefulPodWrites({ pods, revisions, claimWrites, writer, recorder })
    const marks = (_: KubeObject, hash: string) => ({ labels: { [hashLabel]: hash } })
    this.#history = new RevisionHistory({ owners: statefulSets, revisions, revisionsKnown, writer, marks })
    loop.follow(
      podsKnown.listen((change) => this.#podChanged(change)),
      revisionsKnown.listen((change) => loop.dependentChanged(change)),
    )
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** A name that is free again may be the one for which a set waits. */
  #podChanged(change: OwnedChange<PodFacts>): void {
    this.#loop.dependentChanged(change)
    const { before, after } = change
    if (before === undefined || after !== undefined) return
    const identity = identityIn(before.name)
    if (identity === undefined) return
    this.#loop.add(this.#options.statefulSetsKnown.get({ namespace: before.namespace, name: identity.set }))
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const found = this.#options.statefulSets.cache.get(id)?.object
    if (found === undefined) return
    const set = found as StatefulSet
    if (set.metadata.deletionTimestamp !== undefined) return this.#lookAtLast(set)
    await this.#claim(set)
    const known = await this.#history.claim(set, labelSelectorFrom(set.spec.selector))
    const update = await this.#history.current(set, known)
    if (update === undefined) return
    const current = known.find(({ name }) => name === set.status.currentRevision)?.name ?? update.name
    const names = { current, update: update.name }
    const outcome = await this.#act(set, names)
    await this.#writeStatus(set, names)
    if (outcome.error !== undefined) throw outcome.error
    await this.#trim(set, known, names)
    this.#requeueLater(set, outcome.nextInMs)
  }

  /** Its Pods and revisions are garbage-collected with it, or orphaned: nothing more is created. */
  async #lookAtLast(set: StatefulSet): Promise<void> {
    const { currentRevision = '', updateRevision = '' } = set.status
    if (updateRevision !== '') await this.#writeStatus(set, { current: currentRevision, update: updateRevision })
  }

  /** A Pod whose name does not fit the set cannot belong to it. */
  async #claim(set: StatefulSet): Promise<void> {
    const { statefulSets: owners, pods: dependents, podsKnown: known } = this.#options
    const isCandidate = ({ name }: PodFacts) => identityIn(name)?.set === set.metadata.name
    const selector = labelSelectorFrom(set.spec.selector)
    await claimDependents(this.#loop.writer, { owners, dependents, known }, { owner: set, selector, isCandidate })
  }

  /** As new as the latest write. */
  #podsOf(set: StatefulSet): ReadonlyMap<number, PodFacts> {
    const selector = labelSelectorFrom(set.spec.selector)
    const own = this.#options.podsKnown.ownedBy(ownerId(set)).filter(({ labels }) => selector.matches(labels))
    return podsByOrdinal(set, own)
  }

  async #act(set: StatefulSet, names: RevisionNames): Promise<SetOutcome> {
    const pods = this.#podsOf(set)
    const nowMs = this.#options.statefulSets.engine.clock.now()
    const plan = planStatefulSet({ set, pods, updateRevision: names.update, nowMs })
    try {
      for (const each of plan.mend) await this.#podWrites.mend(set, each)
      for (const [ordinal, pod] of pods) await this.#tendClaims(set, { ordinal, pod })
      // Surplus Pods are removed even if creations fail.
      const { failure, nextInMs } = await this.#create(set, plan, names)
      for (const pod of plan.remove) await this.#podWrites.remove(set, pod)
      return failure === undefined || isNamespaceTerminating(failure) ? { nextInMs } : { error: failure }
    } catch (error) {
      return isNamespaceTerminating(error) ? {} : { error }
    }
  }

  /** A pending Pod may wait for a claim that was deleted. */
  async #tendClaims(set: StatefulSet, { ordinal, pod }: OrdinalPod): Promise<void> {
    if ((set.spec.volumeClaimTemplates ?? []).length === 0) return
    const user: ClaimUser = { name: pod.name, uid: pod.uid, isScaledDown: !isWanted(set, ordinal) }
    const waits = pod.phase === 'Pending' && !pod.isBeingDeleted && !user.isScaledDown
    if (waits) await this.#claimWrites.createMissing(set, ordinal, user)
    await this.#claimWrites.setOwners(set, ordinal, user)
  }

  async #create(
    set: StatefulSet,
    { create }: StatefulSetPlan,
    names: RevisionNames,
  ): Promise<{ readonly failure?: unknown; readonly nextInMs: number | undefined }> {
    const { count, nextInMs } = this.#rate.take(set.metadata.namespace ?? '', create.length)
    const outcome = await slowStart(count, async (index) => {
      const ordinal = create[index]
      if (ordinal !== undefined) await this.#podWrites.create(set, ordinal, names)
    })
    return { ...outcome, nextInMs }
  }

  async #writeStatus(set: StatefulSet, names: RevisionNames): Promise<void> {
    const nowMs = this.#options.statefulSets.engine.clock.now()
    await this.#loop.writeStatus(set, statefulSetStatus(set, [...this.#podsOf(set).values()], names, nowMs))
  }

  async #trim(set: StatefulSet, known: readonly RevisionFacts[], { current, update }: RevisionNames): Promise<void> {
    const inUse = new Set([
      current,
      update,
      ...[...this.#podsOf(set).values()].map(({ labels }) => labels[revisionLabel]),
    ])
    await this.#history.trim(set, known, ({ name }) => inUse.has(name))
  }

  /** Requeues for when the next Pod becomes available, or may be created. */
  #requeueLater(set: StatefulSet, nextInMs: number | undefined): void {
    const nowMs = this.#options.statefulSets.engine.clock.now()
    const atMs = nextAvailableMs([...this.#podsOf(set).values()], set.spec.minReadySeconds ?? 0, nowMs)
    this.#loop.requeueLater(ownedFrom(set), [nextInMs, atMs === undefined ? undefined : atMs - nowMs])
  }
}

interface SetOutcome {
  readonly error?: unknown
  readonly nextInMs?: number | undefined
}
