import { conflict, disruptionBudgetExhausted, notFound } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { type LabelSelectorObject, labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { ResourceContext } from '../context.ts'
import type { DeletionPolicy, WriteRequest } from '../contract.ts'
import type { ObjectId } from '../document.ts'
import { documentsIn } from '../documents-in.ts'
import { deleteObject } from '../verbs/delete.ts'
import { editObject } from '../verbs/edit.ts'

interface Budget extends KubeObject {
  readonly spec: { readonly selector?: LabelSelectorObject; readonly unhealthyPodEvictionPolicy?: string }
  readonly status: {
    readonly observedGeneration?: number
    readonly disruptedPods?: Readonly<Record<string, string>>
    readonly disruptionsAllowed: number
    readonly currentHealthy: number
    readonly desiredHealthy: number
  }
}

/** Deletes a pod if the budgets for disruptions allow it. */
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
  await deleteObject(pods, id, options, request)
}

/** Pods that do nothing, not yet or no more, are missed by no budget. */
function goesAnyway({ metadata, status }: Pod): boolean {
  const isIdle = ['Pending', 'Succeeded', 'Failed'].includes(status.phase ?? '')
  return isIdle || metadata.deletionTimestamp !== undefined
}

async function spendBudget(pods: ResourceContext, id: ObjectId, pod: Pod, request: WriteRequest): Promise<void> {
  const budgets = pods.engine.find('policy', 'PodDisruptionBudget')
  if (budgets === undefined) return
  const [budget, second] = documentsIn(budgets, id.namespace).filter(({ object }) => covers(object as Budget, pod))
  if (second !== undefined) {
    const problem = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw conflict(pods.kind, id.name, problem)
  }
  if (budget === undefined || isUnhealthyAndMayGo(pod, budget.object as Budget)) return
  const now = timestamp(pods.engine.clock.now())
  const spend = (object: KubeObject) =>
    request.dryRun ? checked(object as Budget) : spent(object as Budget, id.name, now)
  await editObject(budgets, budget, spend, { ...request, subresource: 'status' })
}

function covers({ spec }: Budget, { metadata }: Pod): boolean {
  return labelSelectorFrom(spec.selector).matches(metadata.labels ?? {})
}

function isUnhealthyAndMayGo({ status }: Pod, { spec, status: budget }: Budget): boolean {
  const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  if (isReady) return false
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  return budget.desiredHealthy > 0 && budget.currentHealthy >= budget.desiredHealthy
}

/** Refuses what the budget does not allow, and changes nothing. */
function checked({ metadata, status }: Budget): undefined {
  const { name } = metadata
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw disruptionBudgetExhausted(`The disruption budget ${name} is still being processed by the server.`)
  }
  if (status.disruptionsAllowed > 0) return undefined
  const needs = `needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`
  throw disruptionBudgetExhausted(`The disruption budget ${name} ${needs}`)
}

function spent(budget: Budget, pod: string, now: string): Budget {
  checked(budget)
  const { disruptionsAllowed, disruptedPods } = budget.status
  const status = {
    ...budget.status,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...disruptedPods, [pod]: now },
  }
  return { ...budget, status }
}
