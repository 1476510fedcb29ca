import type { Deployment, DeploymentStatus, ReplicaSet } from '../../api/types/apps-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { revisionAnnotation, withRevision, withSize } from './annotations.ts'
import {
  type Conditions,
  conditionOf,
  paused,
  progressDeadlineMs,
  progressing,
  resumed,
  withStatement,
} from './conditions.ts'
import { surplusHistory } from './history.ts'
import { allOf } from './replica-sets.ts'
import { type Sizes, setName } from './rolling-update.ts'
import { type RolloutLimits, rolloutLimits } from './rollout-limits.ts'
import {
  countsOf,
  deploymentStatus,
  timedOut,
  untilOverdueMs,
  withAvailability,
  withProgress,
  withReplicaFailure,
} from './status.ts'
import { type DeploymentWorld, nextStep, type RolloutStep } from './step.ts'

export interface ReplicaSetChange {
  readonly before: ReplicaSet
  readonly after: ReplicaSet
}

export interface DeploymentPlan {
  readonly create?: ReplicaSet
  readonly change: readonly ReplicaSetChange[]
  readonly remove: readonly ReplicaSet[]
  readonly status: DeploymentStatus
  /** The number of the current template, for an annotation of the Deployment. */
  readonly revision?: string
  /** When to reconcile again if nothing happens. */
  readonly requeueAfterMs?: number
}

export function planDeployment(world: DeploymentWorld): DeploymentPlan {
  const { deployment, nowMs } = world
  const limits = rolloutLimits(deployment)
  const step = nextStep(world, limits)
  const { sets } = step
  const counts = countsOf(sets)
  const revised = sets.current && withRevision(sets.current, deployment, sets.older)
  const announced = announcedConditions(deployment, step, nowMs)
  const judged = withAvailability(announced, counts, limits, nowMs)
  const failed = step.isRollout ? withReplicaFailure(judged, sets.current, sets.older) : judged
  const conditions = step.isRollout ? withProgress(failed, deployment, sets, counts, nowMs) : failed
  const revision = revised?.metadata.annotations?.[revisionAnnotation]
  const requeueAfterMs = step.isRollout ? untilOverdueMs(deployment, counts, conditions, nowMs) : undefined
  return {
    ...(step.isNew && revised && { create: sized(revised, step.sizes, limits) }),
    change: changesOf(step, revised, deployment, limits),
    remove: step.mayCleanUp ? surplusHistory(deployment, sets.older) : [],
    status: deploymentStatus(deployment, counts, conditions),
    ...(revision !== undefined && { revision }),
    ...(requeueAfterMs !== undefined && { requeueAfterMs }),
  }
}

/** Conditions to set before the rollout is judged: that it was paused or resumed, or what its ReplicaSet is. */
function announcedConditions(deployment: Deployment, { sets, isNew }: RolloutStep, nowMs: number): Conditions {
  const before = pauseConditions(deployment, nowMs)
  const name = sets.current?.metadata.name
  if (deployment.metadata.deletionTimestamp !== undefined) return before
  if (name === undefined || progressDeadlineMs(deployment) === undefined) return before
  if (isNew)
    return withStatement(before, progressing('NewReplicaSetCreated', `Created new replica set "${name}"`), nowMs)
  if (conditionOf(before, 'Progressing') !== undefined) return before
  return withStatement(before, progressing('FoundNewReplicaSet', `Found new replica set "${name}"`), nowMs)
}

function pauseConditions(deployment: Deployment, nowMs: number): Conditions {
  const { metadata, spec, status } = deployment
  const before = status.conditions ?? []
  const known = conditionOf(before, 'Progressing')
  if (metadata.deletionTimestamp !== undefined || progressDeadlineMs(deployment) === undefined) return before
  if (known?.reason === timedOut) return before
  if (spec.paused === true) return withStatement(before, paused, nowMs)
  return known?.reason === paused.reason ? withStatement(before, resumed, nowMs) : before
}

function changesOf(
  { sets, isNew, sizes }: RolloutStep,
  revised: ReplicaSet | undefined,
  { spec, metadata }: Deployment,
  limits: RolloutLimits,
): readonly ReplicaSetChange[] {
  if (metadata.deletionTimestamp !== undefined) return []
  const wanted = (replicaSet: ReplicaSet): ReplicaSet =>
    replicaSet === sets.current && revised !== undefined
      ? withPatience(sized(revised, sizes, limits), spec.minReadySeconds ?? 0)
      : sized(replicaSet, sizes, limits)
  return (isNew ? sets.older : allOf(sets))
    .map((before) => ({ before, after: wanted(before) }))
    .filter(({ before, after }) => !deepEqual(before, after))
}

function sized(replicaSet: ReplicaSet, sizes: Sizes, limits: RolloutLimits): ReplicaSet {
  const size = sizes.get(setName(replicaSet))
  return size === undefined ? replicaSet : withSize(replicaSet, size, limits)
}

function withPatience(replicaSet: ReplicaSet, minReadySeconds: number): ReplicaSet {
  if ((replicaSet.spec.minReadySeconds ?? 0) === minReadySeconds) return replicaSet
  return { ...replicaSet, spec: { ...replicaSet.spec, minReadySeconds } }
}
