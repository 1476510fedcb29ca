import type { ReplicaSet } from '../../api/types/apps-v1.ts'
import { availableIn, byAge, isLagging, occupiedBy, sizeOf, total, totalSize } from './replica-sets.ts'
import type { RolloutLimits } from './rollout-limits.ts'

/** New sizes of ReplicaSets, by name. Others keep theirs. */
export type Sizes = ReadonlyMap<string, number>

export const noChange: Sizes = new Map()

/** The next step of a rolling update: more current Pods if there is room, otherwise fewer older ones. */
export function rollingStep(current: ReplicaSet, older: readonly ReplicaSet[], limits: RolloutLimits): Sizes {
  const size = currentSize(current, older, limits)
  if (size !== sizeOf(current)) return new Map([[setName(current), size]])
  return olderSizes(current, older, limits)
}

/** How many Pods the current template gets now, as far as there is room beside the others. */
export function currentSize(
  current: ReplicaSet,
  older: readonly ReplicaSet[],
  { desired, most }: RolloutLimits,
): number {
  const size = sizeOf(current)
  if (size >= desired) return desired
  const room = older.some(isLagging) ? 0 : most - total([...older, current], occupiedBy)
  return size + Math.max(0, Math.min(room, desired - size))
}

/** Pods that do not work are removed first, since they are not missed. */
function olderSizes(current: ReplicaSet, older: readonly ReplicaSet[], limits: RolloutLimits): Sizes {
  const minAvailable = limits.desired - limits.maxUnavailable
  const notYetAvailable = sizeOf(current) - keptIn(current)
  const dispensable = totalSize([...older, current]) - minAvailable - notYetAvailable
  if (totalSize(older) === 0 || dispensable <= 0) return noChange
  const sizes = new Map<string, number>()
  const oldestFirst = older.toSorted(byAge)
  takeFrom(oldestFirst, sizes, dispensable, (each) => sizeOf(each) - keptIn(each))
  const healthySurplus = total([...older, current], keptIn) - minAvailable
  takeFrom(oldestFirst, sizes, healthySurplus, (each) => sizes.get(setName(each)) ?? sizeOf(each))
  return sizes
}

function takeFrom(
  replicaSets: readonly ReplicaSet[],
  sizes: Map<string, number>,
  most: number,
  removable: (replicaSet: ReplicaSet) => number,
): void {
  let left = most
  for (const each of replicaSets) {
    const taken = Math.min(removable(each), left)
    if (taken <= 0) continue
    sizes.set(setName(each), (sizes.get(setName(each)) ?? sizeOf(each)) - taken)
    left -= taken
  }
}

/** Working Pods that stay. Others may still be reported after their ReplicaSet was scaled down. */
function keptIn(replicaSet: ReplicaSet): number {
  return Math.min(sizeOf(replicaSet), availableIn(replicaSet))
}

export function setName({ metadata }: ReplicaSet): string {
  return metadata.name ?? ''
}
