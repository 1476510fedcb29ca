import type { StatefulSet } from '../../api/types/apps-v1.ts'
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts'
import { shareOf } from '../pods/share.ts'
import { endOrdinal, replicasOf, revisionLabel, startOrdinal } from './identity.ts'
import { isWorking, type OrdinalPod, type StatefulSetState } from './state.ts'

/**
 * Pods of another revision to delete now, highest ordinal first; they are recreated with the wanted revision. A working
 * Pod is deleted only while fewer than allowed are unavailable. Deleting one that does not work makes nothing worse, so
 * it is deleted when its turn comes, and a fixed template can replace it.
 */
export function outdatedToRemove(state: StatefulSetState, replicas: readonly OrdinalPod[]): readonly PodFacts[] {
  const { set, updateRevision } = state
  if (set.spec.updateStrategy.type === 'OnDelete') return []
  const most = maxUnavailable(set)
  const missing = endOrdinal(set) - startOrdinal(set) - replicas.length
  let unavailable = missing + replicas.filter(({ pod }) => !isWorking(state, pod)).length
  let inProgress = missing
  const removed: PodFacts[] = []
  for (const { ordinal, pod } of replicas.toReversed()) {
    if (ordinal < firstUpdated(set) || inProgress >= most) break
    const works = isWorking(state, pod)
    if (isOutdated(pod, updateRevision) && (!works || unavailable < most)) {
      removed.push(pod)
      if (works) unavailable += 1
      inProgress += 1
    } else if (!works) inProgress += 1
  }
  return removed
}

/** Whether a new Pod of the ordinal is still created from the previous template. */
export function isHeldBack(set: StatefulSet, ordinal: number): boolean {
  return set.spec.updateStrategy.type !== 'OnDelete' && ordinal < firstUpdated(set)
}

export function maxUnavailable(set: StatefulSet): number {
  const { maxUnavailable: most = 1 } = set.spec.updateStrategy.rollingUpdate ?? {}
  return Math.max(1, shareOf(most, replicasOf(set), Math.ceil))
}

function firstUpdated(set: StatefulSet): number {
  return startOrdinal(set) + (set.spec.updateStrategy.rollingUpdate?.partition ?? 0)
}

function isOutdated({ labels, isBeingDeleted, phase }: PodFacts, updateRevision: string): boolean {
  return labels[revisionLabel] !== updateRevision && !isBeingDeleted && !hasEnded(phase)
}
