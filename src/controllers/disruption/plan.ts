import type { Condition } from '../../api/types/meta-v1.ts'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/types/policy-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { PodFacts } from '../pods/pod-facts.ts'
import { shareOf } from '../pods/share.ts'

/** A Pod whose eviction was allowed, and that still exists after this time, counts again. */
const deletionTimeoutMs = 120_000

export interface BudgetPlan {
  readonly status: PodDisruptionBudgetStatus
  /** Pods that should have been deleted long ago. */
  readonly notDeleted: readonly PodFacts[]
  /** When the next Pod counts again; absent if there is none. */
  readonly requeueAfterMs?: number
}

/** Whether the expected number of Pods depends on their controllers. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'
}

/** `scale`: the expected number of Pods, according to their controllers. */
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
  // A budget without Pods allows nothing, so that it protects the first ones before they are counted.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy)
  const disruptedPods = Object.fromEntries([...awaited].map(([name, { evicted }]) => [name, evicted]))
  const { generation: observedGeneration = 0 } = budget.metadata
  const status = {
    ...(awaited.size > 0 && { disruptedPods }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    observedGeneration,
    conditions: withCondition(budget, { observedGeneration }, allowance(disruptionsAllowed), nowMs),
  }
  const times = [...awaited.values()].map(({ untilMs }) => untilMs - nowMs)
  const notDeleted = pods.filter(
    ({ name, isBeingDeleted }) => !isBeingDeleted && !awaited.has(name) && evictedIn(budget, name) !== undefined,
  )
  return times.length === 0 ? { status, notDeleted } : { status, notDeleted, requeueAfterMs: Math.min(...times) }
}

/** Safe while the expected number of Pods is unknown: no evictions. */
export function failedStatus(budget: PodDisruptionBudget, problem: string, nowMs: number): PodDisruptionBudgetStatus {
  const said = { status: 'False', reason: 'SyncFailed', message: problem }
  return {
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: withCondition(budget, observedIn(budget.status), said, nowMs),
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

/** Pods whose eviction was allowed recently, and that are not being deleted yet. */
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

type Observed = Pick<Condition, 'observedGeneration'>

/** What it was counted for last: it is not counted now. */
function observedIn({ observedGeneration }: PodDisruptionBudgetStatus): Observed {
  return observedGeneration === undefined ? {} : { observedGeneration }
}

function withCondition(
  { status }: PodDisruptionBudget,
  observed: Observed,
  said: Said,
  nowMs: number,
): readonly Condition[] {
  const conditions = status.conditions ?? []
  const before = conditions.find(({ type }) => type === conditionType)
  const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : timestamp(nowMs)
  const now = { type: conditionType, ...observed, lastTransitionTime, ...said }
  return before === undefined ? [...conditions, now] : conditions.map((each) => (each === before ? now : each))
}
