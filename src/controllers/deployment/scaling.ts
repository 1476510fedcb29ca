import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'
import { desiredAnnotation, mostAnnotation, numberIn } from './annotations.ts'
import { activeAmong, allOf, availableIn, byAge, type ReplicaSets, sizeOf, totalSize } from './replica-sets.ts'
import { noChange, type Sizes, setName } from './rolling-update.ts'
import type { RolloutLimits } from './rollout-limits.ts'

/**
 * Whether the Deployment wants a different number of Pods than when its ReplicaSets got their sizes. With the Recreate
 * strategy, all older Pods are removed first if several ReplicaSets have some.
 */
export function isScaled({ spec }: Deployment, replicaSets: ReplicaSets, { desired }: RolloutLimits): boolean {
  const active = activeAmong(allOf(replicaSets))
  if (spec.strategy.type === 'Recreate' && active.length > 1) return false
  return active.some((each) => {
    const before = numberIn(each, desiredAnnotation)
    return before !== undefined && before !== desired
  })
}

/**
 * The sizes for a different number of Pods. In the middle of a rollout each ReplicaSet grows or shrinks proportionally,
 * so that the rollout keeps its state.
 */
export function scaledSizes(deployment: Deployment, replicaSets: ReplicaSets, limits: RolloutLimits): Sizes {
  const { current, older } = replicaSets
  const only = activeOrLatest(replicaSets)
  if (only !== undefined) return new Map([[setName(only), limits.desired]])
  if (current !== undefined && isSaturated(current, limits)) {
    return new Map(activeAmong(older).map((each) => [setName(each), 0]))
  }
  if (deployment.spec.strategy.type !== 'RollingUpdate') return noChange
  return proportionalSizes(deployment, activeAmong(allOf(replicaSets)), limits)
}

/** The ReplicaSet that has all Pods, or would have them; undefined if several have some. */
function activeOrLatest(replicaSets: ReplicaSets): ReplicaSet | undefined {
  const { current, older } = replicaSets
  const active = activeAmong(allOf(replicaSets))
  if (active.length > 1) return undefined
  return active[0] ?? current ?? older.toSorted(byAge).at(-1)
}

function isSaturated(current: ReplicaSet, { desired }: RolloutLimits): boolean {
  const wasFor = numberIn(current, desiredAnnotation)
  return sizeOf(current) === desired && wasFor === desired && availableIn(current) === desired
}

function proportionalSizes(deployment: Deployment, active: readonly ReplicaSet[], limits: RolloutLimits): Sizes {
  const allowed = limits.desired > 0 ? limits.most : 0
  const toAdd = allowed - totalSize(active)
  const largestFirst = active.toSorted((left, right) => {
    return sizeOf(right) - sizeOf(left) || (toAdd > 0 ? byAge(right, left) : byAge(left, right))
  })
  const sizes = new Map(largestFirst.map((each) => [setName(each), sizeOf(each)]))
  let left = toAdd
  for (const each of largestFirst) {
    const added = within(shareOf(each, deployment, limits), left)
    sizes.set(setName(each), sizeOf(each) + added)
    left -= added
  }
  const [first] = largestFirst
  if (first !== undefined) sizes.set(setName(first), Math.max(0, (sizes.get(setName(first)) ?? 0) + left))
  return sizes
}

/** The share, limited to what is left to add or remove. */
function within(share: number, left: number): number {
  if (left === 0) return 0
  return left > 0 ? Math.min(share, left) : Math.max(share, left)
}

/** By how much a ReplicaSet would have to change to keep its proportion. */
function shareOf(replicaSet: ReplicaSet, { status }: Deployment, { desired, most }: RolloutLimits): number {
  const size = sizeOf(replicaSet)
  if (desired === 0) return -size
  const noted = numberIn(replicaSet, mostAnnotation) ?? 0
  const mostBefore = noted > 0 ? noted : (status.replicas ?? 0)
  return mostBefore === 0 ? 0 : Math.round((size * most) / mostBefore) - size
}
