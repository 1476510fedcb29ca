import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { claimDependents } from '../ownership/commit-claims.ts'
import { concernedOwners, type Selecting } from '../ownership/concerned-owners.ts'
import { controllerIn, ownedFrom, ownerId } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { nextAvailableMs } from '../pods/next-available.ts'
import { isActive, type PodFacts } from '../pods/pod-facts.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import { type PodFailure, type PodOutcome, PodWrites, podsDone } from '../pods/pod-writes.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { lookAgain, lookLoop } from '../run/look.ts'
import { ControllerWriter } from '../run/writer.ts'
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
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  readonly #podWrites: PodWrites

  constructor(options: ReplicaControllerOptions) {
    this.#options = options
    const { controller, owners, ownersKnown, pods, podsKnown, events, report, mayWrite } = options
    this.#loop = lookLoop({ controller, engine: owners.engine, look: (id) => this.#look(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    this.#podWrites = new PodWrites({ pods, writer: this.#writer, recorder: this.#recorder })
    this.#loop.follow(
      ownersKnown.listen(({ before, after }) => this.#add(after ?? before)),
      podsKnown.listen((change) => this.#podChanged(change)),
    )
    for (const owner of ownersKnown.all()) this.#add(owner)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #add(id: ObjectId | undefined): void {
    if (id !== undefined) this.#loop.add(relativeKey(id))
  }

  #podChanged(change: OwnedChange<PodFacts>): void {
    const { ownersKnown, owners } = this.#options
    for (const owner of concernedOwners(ownersKnown, owners.kind.kind, change)) this.#add(owner)
  }

  async #look(id: ObjectId): Promise<void> {
    const { owners, read } = this.#options
    const object = owners.cache.get(id)?.object
    if (object === undefined) return
    const owner = read(object)
    await this.#claim(owner)
    const outcome = object.metadata.deletionTimestamp === undefined ? await this.#scale(owner) : podsDone
    const active = this.#activePods(owner)
    await this.#writeStatus(owner, active, outcome.failure)
    if (outcome.failure !== undefined) throw outcome.error
    this.#lookLater(id, owner, active, outcome.nextInMs)
  }

  async #claim({ object, selector }: Replicated): Promise<void> {
    const { podsKnown, pods, owners } = this.#options
    const kinds = { owners, dependents: pods, known: podsKnown }
    await claimDependents(this.#writer, kinds, { owner: object, selector, isCandidate: isActive })
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

  /** All Pods of the workload that the owner is a part of. */
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
    const { owners } = this.#options
    const status = replicaStatus(owner, active, failure, owners.engine.clock.now())
    if (deepEqual(status, owner.status)) return
    await this.#writer.replace(owners, owner.object, { ...owner.object, status }, 'status')
  }

  /** When the next Pod becomes available, or may be made. */
  #lookLater(id: ObjectId, owner: Replicated, active: readonly PodFacts[], nextInMs: number | undefined): void {
    const nowMs = this.#options.owners.engine.clock.now()
    const atMs = nextAvailableMs(active, owner.minReadySeconds, nowMs)
    const pauses = [nextInMs, atMs === undefined ? undefined : atMs - nowMs].filter((each) => each !== undefined)
    if (pauses.length > 0) lookAgain(this.#loop, relativeKey(id), Math.min(...pauses))
  }
}
