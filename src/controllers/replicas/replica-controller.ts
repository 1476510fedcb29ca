import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import type { Selecting } from '../ownership/affected-owners.ts'
import { claimDependents } from '../ownership/commit-claims.ts'
import { controllerIn, ownedFrom, ownerId } from '../ownership/owned.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { nextAvailableMs } from '../pods/next-available.ts'
import { isActive, type PodFacts } from '../pods/pod-facts.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import { type PodFailure, type PodOutcome, PodWrites, podsDone } from '../pods/pod-writes.ts'
import type { MayWrite } from '../run/leading.ts'
import { WorkloadLoop } from '../run/workload-loop.ts'
import { planReplicas } from './plan.ts'
import type { Replicated } from './replicated.ts'
import { replicaStatus } from './status.ts'

export interface ReplicaControllerOptions {
  /** Its name in Events. */
  readonly controller: string
  readonly owners: ResourceContext
  readonly ownersKnown: OwnedObjects<Selecting>
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  readonly read: (object: KubeObject) => Replicated
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

export function replicatedFactsFrom(read: (object: KubeObject) => Replicated): (object: KubeObject) => Selecting {
  return (object) => ({ ...ownedFrom(object), selector: read(object).selector })
}

/** Keeps as many Pods as a ReplicaSet or a ReplicationController asks for. */
export class ReplicaController implements Controller {
  readonly #options: ReplicaControllerOptions
  readonly #loop: WorkloadLoop
  readonly #podWrites: PodWrites

  constructor(options: ReplicaControllerOptions) {
    this.#options = options
    const { controller, owners, ownersKnown, pods, podsKnown, events, report, mayWrite } = options
    const reconcile = (id: ObjectId) => this.#reconcile(id)
    const loop = new WorkloadLoop({ controller, owners, ownersKnown, reconcile, events, report, mayWrite })
    const { writer, recorder } = loop
    this.#loop = loop
    this.#podWrites = new PodWrites({ pods, writer, recorder })
    loop.follow(podsKnown.listen((change) => loop.dependentChanged(change)))
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { owners, read } = this.#options
    const object = owners.cache.get(id)?.object
    if (object === undefined) return
    const owner = read(object)
    await this.#claim(owner)
    const outcome = object.metadata.deletionTimestamp === undefined ? await this.#scale(owner) : podsDone
    const active = this.#activePods(owner)
    await this.#writeStatus(owner, active, outcome.failure)
    if (outcome.failure !== undefined) throw outcome.error
    this.#requeueLater(id, owner, active, outcome.nextInMs)
  }

  async #claim({ object, selector }: Replicated): Promise<void> {
    const { podsKnown, pods, owners } = this.#options
    const kinds = { owners, dependents: pods, known: podsKnown }
    await claimDependents(this.#loop.writer, kinds, { owner: object, selector, isCandidate: isActive })
  }

  /** As new as the latest write. */
  #activePods({ object, selector }: Replicated): readonly PodFacts[] {
    const own = this.#options.podsKnown.ownedBy(ownerId(object))
    return own.filter((pod) => isActive(pod) && selector.matches(pod.labels))
  }

  async #scale(owner: Replicated): Promise<PodOutcome> {
    const nowMs = this.#options.owners.engine.clock.now()
    const plan = planReplicas(owner.replicas, this.#activePods(owner), () => this.#related(owner.object), nowMs)
    if (plan.create > 0) return this.#create(owner, plan.create)
    return plan.remove.length > 0 ? this.#podWrites.remove(owner.object, plan.remove) : podsDone
  }

  /** All Pods of the workload to which the owner belongs. */
  #related(object: KubeObject): readonly PodFacts[] {
    const { ownersKnown, podsKnown } = this.#options
    const own = ownerId(object)
    const workload = controllerIn(object.metadata)
    const owners = workload === undefined ? [own] : ownersKnown.ownedBy({ ...own, uid: workload.uid })
    return owners.flatMap((owner) => podsKnown.ownedBy(owner))
  }

  async #create({ object, template }: Replicated, wanted: number): Promise<PodOutcome> {
    if (template === undefined) return podsDone
    const pod = podFromTemplate(object, template)
    return this.#podWrites.create(object, wanted, () => pod)
  }

  async #writeStatus(owner: Replicated, active: readonly PodFacts[], failure: PodFailure | undefined): Promise<void> {
    const nowMs = this.#options.owners.engine.clock.now()
    await this.#loop.writeStatus(owner.object, replicaStatus(owner, active, failure, nowMs))
  }

  /** Requeues for when the next Pod becomes available, or may be created. */
  #requeueLater(id: ObjectId, owner: Replicated, active: readonly PodFacts[], nextInMs: number | undefined): void {
    const nowMs = this.#options.owners.engine.clock.now()
    const atMs = nextAvailableMs(active, owner.minReadySeconds, nowMs)
    this.#loop.requeueLater(id, [nextInMs, atMs === undefined ? undefined : atMs - nowMs])
  }
}
