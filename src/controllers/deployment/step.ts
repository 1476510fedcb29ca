import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'
import { withSize } from './annotations.ts'
import {
  activeAmong,
  allOf,
  isLagging,
  occupiedBy,
  type ReplicaSets,
  sizeOf,
  sortedOut,
  total,
} from './replica-sets.ts'
import { currentSize, noChange, rollingStep, type Sizes, setName } from './rolling-update.ts'
import type { RolloutLimits } from './rollout-limits.ts'
import { isScaled, scaledSizes } from './scaling.ts'
import { countsOf, isRolledOut } from './status.ts'
import { newReplicaSet } from './template.ts'

/** The facts from which a Deployment is planned. */
export interface DeploymentWorld {
  readonly deployment: Deployment
  /** The ReplicaSets that it controls. */
  readonly replicaSets: readonly ReplicaSet[]
  /** Whether a ReplicaSet has Pods that have not finished, even if they are being deleted. */
  readonly hasRunningPods: (replicaSet: ReplicaSet) => boolean
  readonly nowMs: number
}

/** What happens to the ReplicaSets. */
export interface RolloutStep {
  readonly sets: ReplicaSets
  readonly isNew: boolean
  readonly sizes: Sizes
  /** Whether this is a step of a rollout, rather than of scaling or pausing. */
  readonly isRollout: boolean
  readonly mayCleanUp: boolean
}

export function nextStep(world: DeploymentWorld, limits: RolloutLimits): RolloutStep {
  const { deployment, replicaSets } = world
  const sets = sortedOut(deployment, replicaSets)
  const still = { sets, isNew: false, sizes: noChange, isRollout: false, mayCleanUp: false }
  if (deployment.metadata.deletionTimestamp !== undefined) return still
  const isPaused = deployment.spec.paused === true
  if (isPaused || isScaled(deployment, sets, limits)) {
    const sizes = withinRoom(scaledSizes(deployment, sets, limits), sets, limits)
    return { ...still, sizes, mayCleanUp: isPaused }
  }
  return deployment.spec.strategy.type === 'Recreate'
    ? recreateStep(world, sets, limits)
    : rollingUpdateStep(deployment, sets, limits)
}

/** No ReplicaSet grows while another has yet to shrink: there would be more Pods than allowed. */
function withinRoom(sizes: Sizes, sets: ReplicaSets, { most }: RolloutLimits): Sizes {
  const all = allOf(sets)
  const grows = (each: ReplicaSet) => (sizes.get(setName(each)) ?? 0) > sizeOf(each)
  const occupied = total(all, (each) => Math.max(sizes.get(setName(each)) ?? 0, occupiedBy(each)))
  const hasRoom = occupied <= most && !all.some((each) => isLagging(each) && !grows(each))
  return hasRoom
    ? sizes
    : new Map([...sizes].filter(([name]) => !all.some((each) => setName(each) === name && grows(each))))
}

function rollingUpdateStep(
  deployment: Deployment,
  { current, older }: ReplicaSets,
  limits: RolloutLimits,
): RolloutStep {
  const empty = current ?? newReplicaSet(deployment)
  const first = current ?? withSize(empty, currentSize(empty, older, limits), limits)
  const sets = { current: first, older }
  const sizes = new Map(rollingStep(first, older, limits))
  if (current === undefined) sizes.set(setName(first), sizeOf(first))
  const isStill = sizes.size === 0
  return { sets, isNew: current === undefined, sizes, isRollout: true, mayCleanUp: isStill && isDone(deployment, sets) }
}

/** The older Pods must be gone before the first new one is created. */
function recreateStep(
  { deployment, hasRunningPods }: DeploymentWorld,
  sets: ReplicaSets,
  limits: RolloutLimits,
): RolloutStep {
  const { current, older } = sets
  const step = { sets, isNew: false, isRollout: true, mayCleanUp: false }
  const active = activeAmong(older)
  if (active.length > 0) return { ...step, sizes: new Map(active.map((each) => [setName(each), 0])) }
  const isOccupied = older.some((each) => isLagging(each) || occupiedBy(each) > 0 || hasRunningPods(each))
  if (isOccupied) return { ...step, sizes: noChange }
  const next = current ?? withSize(newReplicaSet(deployment), limits.desired, limits)
  const all = { current: next, older }
  const sizes =
    sizeOf(next) === limits.desired && current !== undefined ? noChange : new Map([[setName(next), limits.desired]])
  return { sets: all, isNew: current === undefined, sizes, isRollout: true, mayCleanUp: isDone(deployment, all) }
}

function isDone(deployment: Deployment, sets: ReplicaSets): boolean {
  return isRolledOut(deployment, countsOf(sets))
}
