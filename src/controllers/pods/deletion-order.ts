import type { PodFacts } from './pod-facts.ts'

interface Ranked<Pod extends PodFacts = PodFacts> {
  readonly pod: Pod
  /** How many Pods of the same workload are on its node. */
  readonly neighbors: number
}

type Compare = (left: Ranked, right: Ranked) => number

const phases: readonly string[] = ['Pending', 'Unknown', 'Running']

/**
 * Pods in the order in which a workload with too many of them deletes them: the least useful first. `related` are all
 * Pods of the workload, which show where they crowd.
 */
export function inDeletionOrder<Pod extends PodFacts>(
  pods: readonly Pod[],
  related: readonly PodFacts[],
  nowMs: number,
): readonly Pod[] {
  const perNode = new Map<string, number>()
  for (const { nodeName } of related) {
    if (nodeName !== '') perNode.set(nodeName, (perNode.get(nodeName) ?? 0) + 1)
  }
  const ranked: Ranked<Pod>[] = pods.map((pod) => ({ pod, neighbors: perNode.get(pod.nodeName) ?? 0 }))
  const compares = comparesAt(nowMs)
  const compare: Compare = (left, right) => firstDifference(compares, left, right)
  return ranked.sort(compare).map(({ pod }) => pod)
}

function firstDifference(compares: readonly Compare[], left: Ranked, right: Ranked): number {
  for (const compare of compares) {
    const difference = compare(left, right)
    if (difference !== 0) return difference
  }
  return 0
}

/** Each comparison decides which goes first; the next one applies only if they are equal. */
function comparesAt(nowMs: number): readonly Compare[] {
  return [
    (left, right) => Number(left.pod.nodeName !== '') - Number(right.pod.nodeName !== ''),
    (left, right) => phases.indexOf(left.pod.phase) - phases.indexOf(right.pod.phase),
    (left, right) => Number(left.pod.isReady) - Number(right.pod.isReady),
    (left, right) => left.pod.deletionCost - right.pod.deletionCost,
    (left, right) => right.neighbors - left.neighbors,
    (left, right) => younger(readySince(left.pod), readySince(right.pod), nowMs),
    (left, right) => right.pod.restarts - left.pod.restarts,
    (left, right) => right.pod.sidecarRestarts - left.pod.sidecarRestarts,
    (left, right) => younger(left.pod.createdMs, right.pod.createdMs, nowMs),
    (left, right) => (left.pod.uid < right.pod.uid ? -1 : Number(left.pod.uid > right.pod.uid)),
  ]
}

function readySince({ isReady, readyChangedMs }: PodFacts): number | undefined {
  return isReady ? readyChangedMs : undefined
}

/**
 * Ages are compared by order of magnitude: among Pods of similar age, it is not always the youngest that is deleted. An
 * unknown time counts as the youngest.
 */
function younger(left: number | undefined, right: number | undefined, nowMs: number): number {
  return magnitude(left, nowMs) - magnitude(right, nowMs)
}

function magnitude(sinceMs: number | undefined, nowMs: number): number {
  if (sinceMs === undefined) return -2
  const ageNs = (nowMs - sinceMs) * 1_000_000
  return ageNs > 0 ? Math.trunc(Math.log2(ageNs)) : -1
}
