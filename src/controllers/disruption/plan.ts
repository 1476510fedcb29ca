import type { Condition } from '../../api/types/meta-v1.ts'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/types/policy-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { shareOf } from '../pods/share.ts'

/** A Pod whose eviction was allowed, and that is still there after so long, stays: it counts again. */
const deletionTimeoutMs = 120_000

export interface BudgetPlan {
  readonly status: PodDisruptionBudgetStatus
  /** Pods that should have gone long ago. */
  readonly notDeleted: readonly PodFacts[]
  /** When the next Pod counts again; absent if none is waited for. */
  readonly lookAgainInMs?: number
}

/** Whether the number of Pods that should be there has to be asked of those that make them. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'
}

/** `scale`: how many Pods there should be, according to those that make them. */
export function planBudget(
  budget: PodDisruptionBudget,
  pods: readonly PodFacts[],
  scale: number,
  nowMs: number,
): BudgetPlan {
  const expectedPods = needsScale(budget) ? scale : pods.length
  const desiredHealthy = desiredOf(budget, expectedPods)
  const awaited = awaitedOf(budget, pods, nowMs)
  const currentHealthy = pods.filter(
    ({ isReady, isBeingDeleted, name }) => isReady && !isBeingDeleted && !awaited.has(name),
  ).length
  // A budget for no Pods allows nothing, so that it holds for the first ones before they were counted.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy)
  const disruptedPods = Object.fromEntries([...awaited].map(([name, { evicted }]) => [name, evicted]))
  const status = {
    ...(awaited.size > 0 && { disruptedPods }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: withCondition(budget, allowance(disruptionsAllowed), nowMs),
  }
  const times = [...awaited.values()].map(({ untilMs }) => untilMs - nowMs)
  const notDeleted = pods.filter(
    ({ name, isBeingDeleted }) => !isBeingDeleted && !awaited.has(name) && evictedIn(budget, name) !== undefined,
  )
  return times.length === 0 ? { status, notDeleted } : { status, notDeleted, lookAgainInMs: Math.min(...times) }
}

/** What is safe as long as it cannot be said how many Pods there should be: no eviction. */
export function failedStatus(budget: PodDisruptionBudget, problem: string, nowMs: number): PodDisruptionBudgetStatus {
  const said = { status: 'False', reason: 'SyncFailed', message: problem }
  return {
    ...budget.status,
    disruptionsAllowed: 0,
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: withCondition(budget, said, nowMs),
  }
}

function desiredOf({ spec: { minAvailable, maxUnavailable } }: PodDisruptionBudget, expected: number): number {
  if (maxUnavailable !== undefined) return Math.max(0, expected - shareOf(maxUnavailable, expected, Math.ceil))
  return minAvailable === undefined ? 0 : shareOf(minAvailable, expected, Math.ceil)
}

interface Awaited {
  readonly evicted: string
  readonly untilMs: number
}

/** Pods whose eviction was allowed a short time ago, and that are not told to go yet. */
function awaitedOf(
  budget: PodDisruptionBudget,
  pods: readonly PodFacts[],
  nowMs: number,
): ReadonlyMap<string, Awaited> {
  const awaited = new Map<string, Awaited>()
  for (const { name, isBeingDeleted } of pods) {
    const evicted = evictedIn(budget, name)
    if (evicted === undefined || isBeingDeleted) continue
    const untilMs = Date.parse(evicted) + deletionTimeoutMs
    if (untilMs >= nowMs) awaited.set(name, { evicted, untilMs })
  }
  return awaited
}

function evictedIn({ status }: PodDisruptionBudget, pod: string): string | undefined {
  const { disruptedPods = {} } = status
  return Object.hasOwn(disruptedPods, pod) ? disruptedPods[pod] : undefined
}

type Said = Pick<Condition, 'status' | 'reason' | 'message'>

function allowance(disruptionsAllowed: number): Said {
  return disruptionsAllowed > 0
    ? { status: 'True', reason: 'SufficientPods', message: '' }
    : { status: 'False', reason: 'InsufficientPods', message: '' }
}

const conditionType = 'DisruptionAllowed'

function withCondition({ metadata, status }: PodDisruptionBudget, said: Said, nowMs: number): readonly Condition[] {
  const conditions = status.conditions ?? []
  const before = conditions.find(({ type }) => type === conditionType)
  const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : timestamp(nowMs)
  const { generation: observedGeneration = 0 } = metadata
  const now = { type: conditionType, observedGeneration, lastTransitionTime, ...said }
  return before === undefined ? [...conditions, now] : conditions.map((each) => (each === before ? now : each))
}
