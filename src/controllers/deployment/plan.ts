import type { Deployment, DeploymentStatus, ReplicaSet } from '../../api/types/apps-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { revisionAnnotation, withRevision, withSize } from './annotations.ts'
import { type Conditions, conditionOf, paused, progress, progressDeadlineMs, resumed, saying } from './conditions.ts'
import { type RolloutLimits, rolloutLimits } from './limits.ts'
import { activeAmong, byRevision, type ReplicaSets, sizeOf, sortedOut, total } from './replica-sets.ts'
import { currentSize, nameOf, noChange, rollingStep, type Sizes } from './rolling-update.ts'
import { isScaled, scaledSizes } from './scaling.ts'
import {
  countsOf,
  deploymentStatus,
  isComplete,
  timedOut,
  untilOverdueMs,
  withAvailability,
  withProgress,
  withReplicaFailure,
} from './status.ts'
import { newReplicaSet } from './template.ts'

/** What a plan for a Deployment rests on. */
export interface DeploymentWorld {
  readonly deployment: Deployment
  /** Those that it controls. */
  readonly replicaSets: readonly ReplicaSet[]
  /** Whether a ReplicaSet has Pods that have not ended, be it that they are still going away. */
  readonly hasRunningPods: (replicaSet: ReplicaSet) => boolean
  readonly nowMs: number
}

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
  /** When to look again if nothing happens. */
  readonly lookAgainInMs?: number
}

/** What happens to the ReplicaSets. */
interface Step {
  readonly sets: ReplicaSets
  readonly isNew: boolean
  readonly sizes: Sizes
  /** Whether this is a step of a rollout, or only of scaling or pausing. */
  readonly isRollout: boolean
  readonly mayCleanUp: boolean
}

const maxInt32 = 2_147_483_647

export function planDeployment(world: DeploymentWorld): DeploymentPlan {
  const { deployment, nowMs } = world
  const limits = rolloutLimits(deployment)
  const step = nextStep(world, limits)
  const { sets } = step
  const counts = countsOf(sets)
  const revised = sets.current && withRevision(sets.current, deployment, sets.older)
  const announced = announcedConditions(deployment, step, nowMs)
  const judged = withAvailability(announced, counts, limits, nowMs)
  const progressed = step.isRollout ? withProgress(judged, deployment, sets, counts, nowMs) : judged
  const conditions = step.isRollout ? withReplicaFailure(progressed, sets.current, sets.older) : progressed
  const revision = revised?.metadata.annotations?.[revisionAnnotation]
  const lookAgainInMs = step.isRollout ? untilOverdueMs(deployment, counts, conditions, nowMs) : undefined
  return {
    ...(step.isNew && revised && { create: sized(revised, step.sizes, limits) }),
    change: changesOf(step, revised, deployment, limits),
    remove: step.mayCleanUp ? surplusHistory(deployment, sets.older) : [],
    status: deploymentStatus(deployment, counts, conditions),
    ...(revision !== undefined && { revision }),
    ...(lookAgainInMs !== undefined && { lookAgainInMs }),
  }
}

function nextStep(world: DeploymentWorld, limits: RolloutLimits): Step {
  const { deployment, replicaSets } = world
  const sets = sortedOut(deployment, replicaSets)
  const still = { sets, isNew: false, sizes: noChange, isRollout: false, mayCleanUp: false }
  if (deployment.metadata.deletionTimestamp !== undefined) return still
  const isPaused = deployment.spec.paused === true
  if (isPaused || isScaled(sets, limits)) {
    return { ...still, sizes: scaledSizes(deployment, sets, limits), mayCleanUp: isPaused }
  }
  return deployment.spec.strategy.type === 'Recreate'
    ? recreateStep(world, sets, limits)
    : rollingUpdateStep(deployment, sets, limits)
}

function rollingUpdateStep(deployment: Deployment, { current, older }: ReplicaSets, limits: RolloutLimits): Step {
  const empty = current ?? newReplicaSet(deployment)
  const first = current ?? withSize(empty, currentSize(empty, older, limits), limits)
  const sets = { current: first, older }
  const sizes = new Map(rollingStep(first, older, limits))
  if (current === undefined) sizes.set(nameOf(first), sizeOf(first))
  const isStill = sizes.size === 0
  return { sets, isNew: current === undefined, sizes, isRollout: true, mayCleanUp: isStill && isDone(deployment, sets) }
}

/** The older Pods have to be gone before the first new one comes. */
function recreateStep({ deployment, hasRunningPods }: DeploymentWorld, sets: ReplicaSets, limits: RolloutLimits): Step {
  const { current, older } = sets
  const step = { sets, isNew: false, isRollout: true, mayCleanUp: false }
  const active = activeAmong(older)
  if (active.length > 0) return { ...step, sizes: new Map(active.map((each) => [nameOf(each), 0])) }
  if (total(older, ({ status }) => status.replicas) > 0 || older.some(hasRunningPods))
    return { ...step, sizes: noChange }
  const next = current ?? withSize(newReplicaSet(deployment), limits.desired, limits)
  const all = { current: next, older }
  const sizes =
    sizeOf(next) === limits.desired && current !== undefined ? noChange : new Map([[nameOf(next), limits.desired]])
  return { sets: all, isNew: current === undefined, sizes, isRollout: true, mayCleanUp: isDone(deployment, all) }
}

function isDone(deployment: Deployment, sets: ReplicaSets): boolean {
  return isComplete(deployment, countsOf(sets))
}

/** What is to be said before the rollout is judged: that it was paused or goes on, or what its ReplicaSet is. */
function announcedConditions(deployment: Deployment, { sets, isNew, isRollout }: Step, nowMs: number): Conditions {
  const before = pauseConditions(deployment, nowMs)
  const name = sets.current?.metadata.name
  if (!isRollout || name === undefined || progressDeadlineMs(deployment) === undefined) return before
  if (isNew) return saying(before, progress('NewReplicaSetCreated', `Created new replica set "${name}"`), nowMs)
  if (conditionOf(before, 'Progressing') !== undefined) return before
  return saying(before, progress('FoundNewReplicaSet', `Found new replica set "${name}"`), nowMs)
}

function pauseConditions(deployment: Deployment, nowMs: number): Conditions {
  const { metadata, spec, status } = deployment
  const before = status.conditions ?? []
  const known = conditionOf(before, 'Progressing')
  if (metadata.deletionTimestamp !== undefined || progressDeadlineMs(deployment) === undefined) return before
  if (known?.reason === timedOut) return before
  if (spec.paused === true) return saying(before, paused, nowMs)
  return known?.reason === paused.reason ? saying(before, resumed, nowMs) : before
}

function changesOf(
  { sets, isNew, sizes }: Step,
  revised: ReplicaSet | undefined,
  { spec, metadata }: Deployment,
  limits: RolloutLimits,
): readonly ReplicaSetChange[] {
  if (metadata.deletionTimestamp !== undefined) return []
  const current =
    isNew || sets.current === undefined || revised === undefined ? [] : [{ before: sets.current, after: revised }]
  return [...sets.older.map((before) => ({ before, after: before })), ...current]
    .map(({ before, after }) => ({ before, after: sized(after, sizes, limits) }))
    .map(({ before, after }) => ({
      before,
      after: before === sets.current ? withPatience(after, spec.minReadySeconds ?? 0) : after,
    }))
    .filter(({ before, after }) => !deepEqual(before, after))
}

function sized(replicaSet: ReplicaSet, sizes: Sizes, limits: RolloutLimits): ReplicaSet {
  const size = sizes.get(nameOf(replicaSet))
  return size === undefined ? replicaSet : withSize(replicaSet, size, limits)
}

function withPatience(replicaSet: ReplicaSet, minReadySeconds: number): ReplicaSet {
  if ((replicaSet.spec.minReadySeconds ?? 0) === minReadySeconds) return replicaSet
  return { ...replicaSet, spec: { ...replicaSet.spec, minReadySeconds } }
}

/** Old ReplicaSets beyond the limit, as far as they are empty and know it. */
function surplusHistory({ spec }: Deployment, older: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const { revisionHistoryLimit: limit = maxInt32 } = spec
  if (limit === maxInt32) return []
  const alive = older.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const surplus = alive.toSorted(byRevision).slice(0, Math.max(0, alive.length - limit))
  return surplus.filter(isEmpty)
}

function isEmpty(replicaSet: ReplicaSet): boolean {
  const { metadata, status } = replicaSet
  const isObserved = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0)
  return sizeOf(replicaSet) === 0 && status.replicas === 0 && isObserved
}
