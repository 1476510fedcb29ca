import { isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { monotonicClock } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { planClaims } from '../ownership/claims.ts'
import { commitClaims } from '../ownership/commit-claims.ts'
import { concernedOwners } from '../ownership/concerned-owners.ts'
import { controllerIn, type Owned, ownedFrom, ownerId } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { isActive, type PodFacts } from '../pods/pod-facts.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import { CreationRate } from '../run/creation-rate.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { lookAgain, lookLoop } from '../run/look.ts'
import { isNamespaceGoing, refusalText } from '../run/refusals.ts'
import { slowStart } from '../run/slow-start.ts'
import { ControllerWriter } from '../run/writer.ts'
import { planReplicas } from './plan.ts'
import type { Replicated } from './replicated.ts'
import { nextAvailableMs, type ReplicaFailure, replicaStatus } from './status.ts'

/** A ReplicaSet or ReplicationController, as far as it concerns Pods that it does not have yet. */
export interface ReplicatedFacts extends Owned {
  readonly selector: LabelSelector
}

export interface ReplicaControllerOptions {
  /** Its name in Events. */
  readonly controller: string
  readonly owners: ResourceContext
  readonly ownersKnown: OwnedObjects<ReplicatedFacts>
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  readonly read: (object: KubeObject) => Replicated
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

export function replicatedFactsFrom(read: (object: KubeObject) => Replicated): (object: KubeObject) => ReplicatedFacts {
  return (object) => ({ ...ownedFrom(object), selector: read(object).selector })
}

/** Keeps as many Pods as a ReplicaSet or a ReplicationController asks for. */
export class ReplicaController implements Controller {
  readonly #options: ReplicaControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  readonly #rate = new CreationRate(monotonicClock)

  constructor(options: ReplicaControllerOptions) {
    this.#options = options
    const { controller, owners, ownersKnown, podsKnown, events, report, mayWrite } = options
    this.#loop = lookLoop({ controller, engine: owners.engine, look: (id) => this.#look(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
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
    const outcome = object.metadata.deletionTimestamp === undefined ? await this.#scale(owner) : done
    const active = this.#activePods(owner)
    await this.#writeStatus(owner, active, outcome.failure)
    if (outcome.failure !== undefined) throw outcome.error
    this.#lookLater(id, owner, active, outcome.nextInMs)
  }

  async #claim({ object, selector }: Replicated): Promise<void> {
    const { podsKnown, pods, owners } = this.#options
    const owner = ownerId(object)
    const candidates = [...podsKnown.ownedBy(owner), ...podsKnown.looseIn(owner.namespace)].filter(isActive)
    const claims = planClaims(object, selector, candidates)
    await commitClaims(this.#writer, { owners, dependents: pods }, object, claims)
  }

  /** As new as the latest write. */
  #activePods({ object, selector }: Replicated): readonly PodFacts[] {
    const own = this.#options.podsKnown.ownedBy(ownerId(object))
    return own.filter((pod) => isActive(pod) && selector.matches(pod.labels))
  }

  async #scale(owner: Replicated): Promise<Outcome> {
    const nowMs = this.#options.owners.engine.clock.now()
    const plan = planReplicas(owner.replicas, this.#activePods(owner), () => this.#related(owner.object), nowMs)
    if (plan.create > 0) return this.#create(owner, plan.create)
    return plan.remove.length > 0 ? this.#remove(owner, plan.remove) : done
  }

  /** All Pods of the workload that the owner is a part of. */
  #related(object: KubeObject): readonly PodFacts[] {
    const { ownersKnown, podsKnown } = this.#options
    const own = ownerId(object)
    const workload = controllerIn(object.metadata)
    const owners = workload === undefined ? [own] : ownersKnown.ownedBy({ ...own, uid: workload.uid })
    return owners.flatMap((owner) => podsKnown.ownedBy(owner))
  }

  async #create({ object, template }: Replicated, wanted: number): Promise<Outcome> {
    if (template === undefined) return done
    const pod = podFromTemplate(object, template)
    const { count, nextInMs } = this.#rate.take(object.metadata.namespace ?? '', wanted)
    const { failure } = await slowStart(count, async () => {
      const name = await this.#writer.create(this.#options.pods, pod)
      this.#recorder.record(object, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` })
    })
    if (failure === undefined || isNamespaceGoing(failure)) return { nextInMs }
    const message = refusalText(failure)
    this.#recorder.record(object, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${message}` })
    return { failure: { reason: 'FailedCreate', message }, error: failure }
  }

  async #remove({ object }: Replicated, surplus: readonly PodFacts[]): Promise<Outcome> {
    const outcomes = await Promise.allSettled(surplus.map((pod) => this.#removeOne(object, pod)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed === undefined) return done
    const message = refusalText(failed.reason)
    this.#recorder.record(object, { type: 'Warning', reason: 'FailedDelete', message: `Error deleting: ${message}` })
    return { failure: { reason: 'FailedDelete', message }, error: failed.reason }
  }

  async #removeOne(object: KubeObject, pod: PodFacts): Promise<void> {
    try {
      await this.#writer.delete(this.#options.pods, pod)
    } catch (error) {
      if (isRefusal(error, 404, 409)) return
      throw error
    }
    this.#recorder.record(object, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.name}` })
  }

  async #writeStatus(
    owner: Replicated,
    active: readonly PodFacts[],
    failure: ReplicaFailure | undefined,
  ): Promise<void> {
    const { owners } = this.#options
    const status = replicaStatus(owner, active, failure, owners.engine.clock.now())
    if (deepEqual(status, owner.status)) return
    await this.#writer.replace(owners, owner.object, { ...owner.object, status }, 'status')
  }

  /** When the next Pod becomes available, or may be made. */
  #lookLater(id: ObjectId, owner: Replicated, active: readonly PodFacts[], nextInMs: number | undefined): void {
    const nowMs = this.#options.owners.engine.clock.now()
    const atMs = nextAvailableMs(owner, active, nowMs)
    const pauses = [nextInMs, atMs === undefined ? undefined : atMs - nowMs].filter((each) => each !== undefined)
    if (pauses.length > 0) lookAgain(this.#loop, relativeKey(id), Math.min(...pauses))
  }
}

interface Outcome {
  readonly failure?: ReplicaFailure
  readonly error?: unknown
  /** When more Pods may be made; undefined if none are missing for that. */
  readonly nextInMs?: number | undefined
}

const done: Outcome = {}
