import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/types/policy-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import type { News } from '../run/event-limits.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { expectedScale } from './expected-scale.ts'
import { failedStatus, needsScale, planBudget } from './plan.ts'
import { goSelectorText } from './selector-text.ts'

const controller = 'disruption-controller'
const component = 'controllermanager'

/** How long a budget waits after its expected number of Pods could not be determined. */
const failurePauseMs = 30_000

export interface BudgetFacts extends Owned {
  readonly selector: LabelSelector
}

export function budgetFactsFrom(object: KubeObject): BudgetFacts {
  return { ...ownedFrom(object), selector: labelSelectorFrom((object as PodDisruptionBudget).spec.selector) }
}

export interface DisruptionControllerOptions {
  readonly budgets: ResourceContext
  readonly budgetsKnown: OwnedObjects<BudgetFacts>
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Counts, for each PodDisruptionBudget, how many of its Pods may be evicted. */
export class DisruptionController implements Controller {
  readonly #options: DisruptionControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents

  constructor(options: DisruptionControllerOptions) {
    this.#options = options
    const { budgets, budgetsKnown, podsKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: budgets.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component, report, mayWrite })
    this.#loop.follow(
      budgetsKnown.listen(({ after }) => this.#add(after)),
      podsKnown.listen((change) => this.#podChanged(change)),
    )
    for (const budget of budgetsKnown.all()) this.#add(budget)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #add(id: ObjectId | undefined): void {
    if (id !== undefined) this.#loop.add(relativeKey(id))
  }

  #podChanged({ before, after }: OwnedChange<PodFacts>): void {
    if (before !== undefined && after !== undefined && isCountedAlike(before, after)) return
    const { namespace } = after ?? before ?? {}
    if (namespace === undefined) return
    for (const budget of this.#options.budgetsKnown.in(namespace)) {
      if ([before, after].some((pod) => pod !== undefined && budget.selector.matches(pod.labels))) this.#add(budget)
    }
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { budgets, podsKnown } = this.#options
    const budget = budgets.cache.get(id)?.object as PodDisruptionBudget | undefined
    if (budget === undefined) return
    const selector = labelSelectorFrom(budget.spec.selector)
    const pods = podsKnown.in(id.namespace).filter(({ labels }) => selector.matches(labels))
    if (pods.length === 0) this.#tell(budget, noPods)
    const scale = needsScale(budget) ? expectedScale(budgets.engine, pods) : none
    if ('problem' in scale) return this.#fail(budget, scale.problem)
    if (scale.hasUnmanagedPods) this.#tell(budget, unmanagedPods(budget))
    const nowMs = budgets.engine.clock.now()
    const plan = planBudget(budget, pods, scale.replicas, nowMs)
    await this.#write(budget, plan.status)
    for (const pod of plan.notDeleted) this.#tellNotDeleted(budget, pod)
    if (plan.requeueAfterMs !== undefined) requeueAfter(this.#loop, relativeKey(id), plan.requeueAfterMs + 1)
  }

  /** No event tells when the Pods' controller becomes known, or becomes scalable. */
  async #fail(budget: PodDisruptionBudget, problem: string): Promise<void> {
    const reason = 'CalculateExpectedPodCountFailed'
    const message = `Failed to calculate the number of expected pods: ${problem}`
    this.#tell(budget, { type: 'Warning', reason, message })
    await this.#write(budget, failedStatus(budget, problem, this.#options.budgets.engine.clock.now()))
    const { namespace = '', name = '' } = budget.metadata
    requeueAfter(this.#loop, relativeKey({ namespace, name }), failurePauseMs)
  }

  async #write(budget: PodDisruptionBudget, status: PodDisruptionBudgetStatus): Promise<void> {
    if (deepEqual(status, budget.status)) return
    await this.#writer.replace(this.#options.budgets, budget, { ...budget, status }, 'status')
  }

  #tell(budget: PodDisruptionBudget, news: News): void {
    this.#recorder.record(budget, news)
  }

  #tellNotDeleted({ metadata }: PodDisruptionBudget, id: PodFacts): void {
    const pod = this.#options.pods.cache.get(id)?.object
    if (pod === undefined) return
    const message = `Pod was expected by PDB ${metadata.namespace}/${metadata.name} to be deleted but it wasn't`
    this.#recorder.record(pod, { type: 'Warning', reason: 'NotDeleted', message })
  }
}

const none = { replicas: 0, hasUnmanagedPods: false }

const noPods: News = { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' }

function unmanagedPods({ spec }: PodDisruptionBudget): News {
  const which = `Pods selected by this PodDisruptionBudget (selector: ${goSelectorText(spec.selector)})`
  const message = `${which} were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`
  return { type: 'Warning', reason: 'UnmanagedPods', message }
}

function isCountedAlike(before: PodFacts, after: PodFacts): boolean {
  return (
    before.uid === after.uid &&
    before.isReady === after.isReady &&
    before.isBeingDeleted === after.isBeingDeleted &&
    before.controller?.uid === after.controller?.uid &&
    deepEqual(before.labels, after.labels)
  )
}
