import { type ApiError, isRefusal } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { errorText } from '../../base/error-text.ts'
import { Pace } from '../../base/pace.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import type { Selecting } from '../ownership/affected-owners.ts'
import { claimDependents } from '../ownership/commit-claims.ts'
import { controllerIn, type Owned, ownedFrom, ownerId } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { requireSelected } from '../ownership/require-selected.ts'
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts'
import type { MayWrite } from '../run/leading.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import { WorkloadLoop } from '../run/workload-loop.ts'
import { revisionAnnotation } from './annotations.ts'
import { noProgress, progressDeadlineMs, withStatement } from './conditions.ts'
import { type DeploymentPlan, planDeployment, type ReplicaSetChange } from './plan.ts'
import { sizeOf } from './replica-sets.ts'
import { sameTemplateAs } from './template.ts'

const controller = 'deployment-controller'

export interface DeploymentFacts extends Selecting {
  readonly isRecreated: boolean
}

export interface DeploymentControllerOptions {
  readonly deployments: ResourceContext
  readonly deploymentsKnown: OwnedObjects<DeploymentFacts>
  readonly replicaSets: ResourceContext
  readonly replicaSetsKnown: Pick<OwnedObjects<Owned>, 'listen' | 'get' | 'ownedBy' | 'looseIn'>
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

export function deploymentFactsFrom(object: KubeObject): DeploymentFacts {
  const { spec } = object as Deployment
  return {
    ...ownedFrom(object),
    selector: labelSelectorFrom(spec.selector),
    isRecreated: spec.strategy.type === 'Recreate',
  }
}

/** Moves a Deployment from one Pod template to the next. */
export class DeploymentController implements Controller {
  readonly #options: DeploymentControllerOptions
  readonly #loop: WorkloadLoop

  constructor(options: DeploymentControllerOptions) {
    this.#options = options
    const { deployments, deploymentsKnown, replicaSetsKnown, podsKnown, events, report, mayWrite } = options
    const reconcile = (id: ObjectId) => this.#reconcile(id)
    const loop = new WorkloadLoop({
      controller,
      owners: deployments,
      ownersKnown: deploymentsKnown,
      reconcile,
      events,
      report,
      mayWrite,
    })
    this.#loop = loop
    loop.follow(
      replicaSetsKnown.listen((change) => loop.dependentChanged(change)),
      podsKnown.listen((change) => this.#podChanged(change)),
    )
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #ownerOf({ controller: owner, namespace }: Owned): DeploymentFacts | undefined {
    if (owner === undefined) return undefined
    const found = this.#options.deploymentsKnown.get({ namespace, name: owner.name })
    return found?.uid === owner.uid ? found : undefined
  }

  /** A Deployment with the Recreate strategy waits for Pods to disappear. */
  #podChanged({ before, after }: OwnedChange<PodFacts>): void {
    if (before?.controller === undefined || (after !== undefined && !hasEnded(after.phase))) return
    const { namespace, controller: owner } = before
    const replicaSet = this.#options.replicaSetsKnown.get({ namespace, name: owner.name })
    const deployment = replicaSet?.uid === owner.uid ? this.#ownerOf(replicaSet) : undefined
    if (deployment?.isRecreated === true) this.#loop.add(deployment)
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const found = this.#options.deployments.cache.get(id)?.object
    if (found === undefined) return
    const deployment = found as Deployment
    await this.#claim(deployment)
    const plan = planDeployment({
      deployment,
      replicaSets: await this.#replicaSetsOf(deployment),
      hasRunningPods: (replicaSet) => this.#hasRunningPods(replicaSet),
      nowMs: this.#options.deployments.engine.clock.now(),
    })
    if (plan.create !== undefined && !(await this.#create(deployment, plan, plan.create))) return
    for (const change of plan.change) await this.#change(deployment, change)
    for (const each of plan.remove) await this.#remove(each)
    await this.#write(deployment, plan)
    this.#loop.requeueLater(id, [plan.requeueAfterMs])
  }

  async #claim(deployment: Deployment): Promise<void> {
    const { deployments, replicaSets, replicaSetsKnown } = this.#options
    const kinds = { owners: deployments, dependents: replicaSets, known: replicaSetsKnown }
    const selector = labelSelectorFrom(deployment.spec.selector)
    await claimDependents(this.#loop.writer, kinds, { owner: deployment, selector })
  }

  /** A long history is parsed in steps. Concurrent changes are not overwritten, and lead to another reconciliation. */
  async #replicaSetsOf(deployment: Deployment): Promise<readonly ReplicaSet[]> {
    const { replicaSets, replicaSetsKnown } = this.#options
    const selector = labelSelectorFrom(deployment.spec.selector)
    const own = replicaSetsKnown.ownedBy(ownerId(deployment)).filter(({ labels }) => selector.matches(labels))
    const found: ReplicaSet[] = []
    const pace = new Pace()
    for (const each of own) {
      await pace.step()
      const object = replicaSets.cache.get(each)?.object
      if (object !== undefined) found.push(object as ReplicaSet)
    }
    return found
  }

  #hasRunningPods(replicaSet: ReplicaSet): boolean {
    return this.#options.podsKnown.ownedBy(ownerId(replicaSet)).some(({ phase }) => !hasEnded(phase))
  }

  /** Returns whether the rest of the plan still holds. */
  async #create(deployment: Deployment, plan: DeploymentPlan, wanted: ReplicaSet): Promise<boolean> {
    try {
      requireSelected(deployment.spec.selector, wanted)
      await this.#loop.writer.create(this.#options.replicaSets, wanted)
    } catch (error) {
      if (isNamespaceTerminating(error)) return false
      if (isRefusal(error, 409)) return this.#collided(deployment, wanted, error)
      await this.#tellRefusal(deployment, plan, wanted, error)
      throw error
    }
    if (sizeOf(wanted) > 0) this.#tellScaled(deployment, wanted, 0)
    return true
  }

  /**
   * The name is taken. Unless the existing object is the wanted one, the next reconciliation chooses another name. An
   * object that is not in the cache was just created or deleted, of which this Deployment gets no event: it is retried.
   */
  async #collided(deployment: Deployment, wanted: ReplicaSet, error: ApiError): Promise<boolean> {
    const { namespace = '', name = '' } = wanted.metadata
    const there = this.#options.replicaSets.cache.get({ namespace, name })?.object as ReplicaSet | undefined
    if (there === undefined) throw error
    const isOwn = controllerIn(there.metadata)?.uid === deployment.metadata.uid
    if (isOwn && sameTemplateAs(wanted.spec.template)(there.spec.template)) return true
    const collisionCount = (deployment.status.collisionCount ?? 0) + 1
    await this.#writeStatus(deployment, { ...deployment, status: { ...deployment.status, collisionCount } })
    return false
  }

  async #tellRefusal(
    deployment: Deployment,
    { status }: DeploymentPlan,
    wanted: ReplicaSet,
    error: unknown,
  ): Promise<void> {
    const message = `Failed to create new replica set "${wanted.metadata.name}": ${errorText(error)}`
    const reason = 'ReplicaSetCreateError'
    this.#loop.recorder.record(deployment, { type: 'Warning', reason, message })
    if (progressDeadlineMs(deployment) === undefined) return
    const nowMs = this.#options.deployments.engine.clock.now()
    const conditions = withStatement(deployment.status.conditions ?? [], noProgress(reason, message), nowMs)
    const { observedGeneration = 0 } = status
    await this.#writeStatus(deployment, {
      ...deployment,
      status: { ...deployment.status, observedGeneration, conditions },
    })
  }

  async #change(deployment: Deployment, { before, after }: ReplicaSetChange): Promise<void> {
    const isWritten = await this.#loop.writer.replace(this.#options.replicaSets, before, after)
    if (isWritten && sizeOf(after) !== sizeOf(before)) this.#tellScaled(deployment, after, sizeOf(before))
  }

  #tellScaled(deployment: Deployment, replicaSet: ReplicaSet, from: number): void {
    const to = sizeOf(replicaSet)
    const direction = to > from ? 'up' : 'down'
    this.#loop.recorder.record(deployment, {
      type: 'Normal',
      reason: 'ScalingReplicaSet',
      message: `Scaled ${direction} replica set ${replicaSet.metadata.name} from ${from} to ${to}`,
    })
  }

  async #remove({ metadata }: ReplicaSet): Promise<void> {
    const { namespace = '', name = '', uid = '' } = metadata
    try {
      await this.#loop.writer.delete(this.#options.replicaSets, { namespace, name, uid })
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }

  async #write(deployment: Deployment, { status, revision }: DeploymentPlan): Promise<void> {
    const { metadata } = deployment
    const annotations = revision === undefined ? {} : { [revisionAnnotation]: revision }
    const isRevised = revision === undefined || metadata.annotations?.[revisionAnnotation] === revision
    if (isRevised && deepEqual(status, deployment.status)) return
    const all = { ...metadata.annotations, ...annotations }
    await this.#writeStatus(deployment, {
      ...deployment,
      metadata: isRevised ? metadata : { ...metadata, annotations: all },
      status,
    })
  }

  async #writeStatus(deployment: Deployment, wanted: Deployment): Promise<void> {
    await this.#loop.writer.replace(this.#options.deployments, deployment, wanted, 'status')
  }
}
