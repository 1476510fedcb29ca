import type { Deployment, DeploymentStatus, ReplicaSet } from '../../api/types/apps-v1.ts'
import {
  available,
  type Conditions,
  conditionOf,
  noProgress,
  progressDeadlineMs,
  progressing,
  replicaFailure,
  unavailable,
  withoutCondition,
  withRenewedStatement,
  withStatement,
} from './conditions.ts'
import { allOf, type ReplicaSets, total, totalAvailable, totalSize } from './replica-sets.ts'
import type { RolloutLimits } from './rollout-limits.ts'

export interface Counts {
  readonly replicas: number
  readonly updated: number
  readonly ready: number
  readonly available: number
  readonly unavailable: number
}

export const timedOut = 'ProgressDeadlineExceeded'
const complete = 'NewReplicaSetAvailable'

/** As reported by the ReplicaSets. */
export function countsOf(replicaSets: ReplicaSets): Counts {
  const { current } = replicaSets
  const all = allOf(replicaSets)
  const availablePods = totalAvailable(all)
  return {
    replicas: total(all, ({ status }) => status.replicas),
    updated: current?.status.replicas ?? 0,
    ready: total(all, ({ status }) => status.readyReplicas ?? 0),
    available: availablePods,
    unavailable: Math.max(0, totalSize(all) - availablePods),
  }
}

/** Kubernetes omits zero. */
export function deploymentStatus(
  { metadata, status }: Deployment,
  counts: Counts,
  conditions: Conditions,
): DeploymentStatus {
  const { collisionCount } = status
  return {
    observedGeneration: metadata.generation ?? 0,
    ...(counts.replicas > 0 && { replicas: counts.replicas }),
    ...(counts.updated > 0 && { updatedReplicas: counts.updated }),
    ...(counts.ready > 0 && { readyReplicas: counts.ready }),
    ...(counts.available > 0 && { availableReplicas: counts.available }),
    ...(counts.unavailable > 0 && { unavailableReplicas: counts.unavailable }),
    ...(conditions.length > 0 && { conditions }),
    ...(collisionCount !== undefined && { collisionCount }),
  }
}

export function withAvailability(
  conditions: Conditions,
  counts: Counts,
  { desired, maxUnavailable }: RolloutLimits,
  nowMs: number,
): Conditions {
  return withStatement(conditions, counts.available >= desired - maxUnavailable ? available : unavailable, nowMs)
}

/** The progress of the rollout, compared with the previous status. */
export function withProgress(
  before: Conditions,
  deployment: Deployment,
  replicaSets: ReplicaSets,
  counts: Counts,
  nowMs: number,
): Conditions {
  const deadlineMs = progressDeadlineMs(deployment)
  if (deadlineMs === undefined) return withoutCondition(before, 'Progressing')
  const known = conditionOf(before, 'Progressing')
  if (known?.reason === complete && counts.replicas === counts.updated) return before
  const { current } = replicaSets
  const subject =
    current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`
  if (isRolledOut(deployment, counts)) {
    return withStatement(before, progressing(complete, `${subject} has successfully progressed.`), nowMs)
  }
  if (isFurther(deployment.status, counts)) {
    return withRenewedStatement(before, progressing('ReplicaSetUpdated', `${subject} is progressing.`), nowMs)
  }
  const isLate = known !== undefined && known.reason !== complete && nowMs > overdueMs(known.lastUpdateTime, deadlineMs)
  return isLate ? withStatement(before, noProgress(timedOut, `${subject} has timed out progressing.`), nowMs) : before
}

export function withReplicaFailure(
  conditions: Conditions,
  current: ReplicaSet | undefined,
  older: readonly ReplicaSet[],
): Conditions {
  const failure = replicaFailure(current, older)
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure')
  const known = conditionOf(conditions, 'ReplicaFailure')
  if (known?.status === failure.status && known.reason === failure.reason) return conditions
  return [...withoutCondition(conditions, 'ReplicaFailure'), failure]
}

/** How long until a stalled rollout exceeds its deadline; undefined if none is in progress. */
export function untilOverdueMs(
  deployment: Deployment,
  counts: Counts,
  conditions: Conditions,
  nowMs: number,
): number | undefined {
  const deadlineMs = progressDeadlineMs(deployment)
  const known = conditionOf(conditions, 'Progressing')
  if (deadlineMs === undefined || known === undefined) return undefined
  // Pods that fail after a completed rollout do not make it late.
  if (known.reason === timedOut || known.reason === complete || isRolledOut(deployment, counts)) return undefined
  // The time in the condition has no fractional seconds.
  return Math.max(0, overdueMs(known.lastUpdateTime, deadlineMs) - nowMs) + 1000
}

export function isRolledOut({ spec }: Deployment, { updated, replicas, available: availablePods }: Counts): boolean {
  const { replicas: desired = 1 } = spec
  return updated === desired && replicas === desired && availablePods === desired
}

function isFurther(before: DeploymentStatus, counts: Counts): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before
  return (
    counts.updated > updatedReplicas ||
    counts.replicas - counts.updated < replicas - updatedReplicas ||
    counts.ready > readyReplicas ||
    counts.available > availableReplicas
  )
}

function overdueMs(since: string | null, deadlineMs: number): number {
  return (Date.parse(since ?? '') || 0) + deadlineMs
}
