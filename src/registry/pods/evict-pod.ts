import { conflict, disruptionBudgetExhausted, forbidden, notFound } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import type { PodDisruptionBudget } from '../../api/types/policy-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { ResourceContext } from '../context.ts'
import type { DeletionPolicy, WriteRequest } from '../contract.ts'
import type { ObjectId } from '../document.ts'
import { documentsIn } from '../documents-in.ts'
import { RememberedFacts } from '../remembered-facts.ts'
import { deleteObject } from '../verbs/delete.ts'
import { editObject } from '../verbs/edit.ts'
import { asDisrupted } from './disruption-target.ts'

type Budget = PodDisruptionBudget

/** If a budget waits for this many evicted Pods to be deleted, its controller does not count them. */
const mostDisrupted = 2_000

/** Deletes a pod if its PodDisruptionBudgets allow it. */
export async function evictPod(
  pods: ResourceContext,
  id: ObjectId,
  options: DeletionPolicy,
  request: WriteRequest,
): Promise<void> {
  const found = pods.cache.get(id)
  if (found === undefined) throw notFound(pods.kind, id.name)
  const pod = found.object as Pod
  if (!goesAnyway(pod)) await spendBudget(pods, id, pod, request)
  const nowMs = pods.engine.clock.now()
  const whileMarking = asDisrupted('EvictionByEvictionAPI', 'Eviction API: evicting', nowMs)
  await deleteObject(pods, id, { ...options, whileMarking }, request)
}

/** Pods that have not started or have finished do not count toward a budget. */
function goesAnyway({ metadata, status }: Pod): boolean {
  const isIdle = ['Pending', 'Succeeded', 'Failed'].includes(status.phase ?? '')
  return isIdle || metadata.deletionTimestamp !== undefined
}

async function spendBudget(pods: ResourceContext, id: ObjectId, pod: Pod, request: WriteRequest): Promise<void> {
  const budgets = pods.engine.find('policy', 'PodDisruptionBudget')
  if (budgets === undefined) return
  const all = documentsIn(budgets, id.namespace)
  const selectors = knownSelectors.ofSome(budgets.cache, all)
  const [budget, second] = all.filter((_, index) => selectors[index]?.matches(pod.metadata.labels))
  if (second !== undefined) {
    const problem = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw conflict(pods.kind, id.name, problem)
  }
  if (budget === undefined || isUnhealthyAndMayGo(pod, budget.object as Budget)) return
  const now = timestamp(pods.engine.clock.now())
  const spend = (object: KubeObject) =>
    request.dryRun ? checked(budgets, object as Budget) : spent(budgets, object as Budget, id.name, now)
  await editObject(budgets, budget, spend, { ...request, subresource: 'status' })
}

const knownSelectors = new RememberedFacts((object) => labelSelectorFrom((object as Budget).spec.selector))

function isUnhealthyAndMayGo({ status }: Pod, { spec, status: budget }: Budget): boolean {
  const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  if (isReady) return false
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  return budget.desiredHealthy > 0 && budget.currentHealthy >= budget.desiredHealthy
}

/** Refuses the eviction if the budget does not allow it. Changes nothing. */
function checked({ kind }: ResourceContext, { metadata, status }: Budget): undefined {
  const { name = '' } = metadata
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw disruptionBudgetExhausted(`The disruption budget ${name} is still being processed by the server.`)
  }
  if (Object.keys(status.disruptedPods ?? {}).length > mostDisrupted) {
    const problem = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw forbidden(kind, name, problem)
  }
  if (status.disruptionsAllowed <= 0)
    throw disruptionBudgetExhausted(`The disruption budget ${name} ${whyNone(status)}`)
}

function whyNone({ conditions, desiredHealthy, currentHealthy }: Budget['status']): string {
  const failed = conditions?.find(({ type, reason }) => type === 'DisruptionAllowed' && reason === 'SyncFailed')
  return failed === undefined
    ? `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
    : `does not allow evicting pods currently because it failed sync: ${failed.message}`
}

function spent(budgets: ResourceContext, budget: Budget, pod: string, now: string): Budget {
  checked(budgets, budget)
  const { disruptionsAllowed, disruptedPods } = budget.status
  const status = {
    ...budget.status,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...disruptedPods, [pod]: now },
  }
  return { ...budget, status }
}
