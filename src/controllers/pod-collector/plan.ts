import type { Taint } from '../../api/types/core-v1.ts'
import { hasEnded, type PodFacts } from '../pods/pod-facts.ts'

/** Why an unfinished Pod is removed, in the words of Kubernetes. */
export const orphanedMessage = 'PodGC: node no longer exists'
export const outOfServiceMessage = 'PodGC: node is out-of-service'

const outOfServiceKey = 'node.kubernetes.io/out-of-service'
const notReadyKeys: readonly string[] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

export interface PodRemoval {
  readonly pod: PodFacts
  /** Absent: the Pod has finished, or never ran. */
  readonly message?: string
}

/** What is known of nodes. */
export interface CollectedNodes {
  /** By name; undefined for a node that does not exist or cannot be read. */
  readonly taintsOf: (name: string) => readonly Taint[] | undefined
  /** Nodes that have been missing long enough to count as gone. */
  readonly gone: ReadonlySet<string>
}

/** Finished Pods beyond `most`, oldest first. The others stay for people to inspect. */
export function surplusPods(pods: Iterable<PodFacts>, most: number): readonly PodRemoval[] {
  const ended = [...pods].filter(({ phase, isBeingDeleted }) => hasEnded(phase) && !isBeingDeleted)
  const count = Math.max(0, ended.length - most)
  return ended
    .toSorted((left, right) => left.createdMs - right.createdMs)
    .slice(0, count)
    .map((pod) => ({ pod }))
}

/** Pods that no node will ever end: their node is gone or out of service, or they were deleted before they had one. */
export function strandedPods(pods: Iterable<PodFacts>, nodes: CollectedNodes): readonly PodRemoval[] {
  return [...pods].flatMap((pod) => removalOf(pod, nodes) ?? [])
}

function removalOf(pod: PodFacts, { taintsOf, gone }: CollectedNodes): PodRemoval | undefined {
  const { nodeName, isBeingDeleted } = pod
  if (nodeName === '') return isBeingDeleted ? { pod } : undefined
  const taints = taintsOf(nodeName)
  if (taints === undefined) return gone.has(nodeName) ? { pod, message: orphanedMessage } : undefined
  return isBeingDeleted && isOutOfService(taints) ? { pod, message: outOfServiceMessage } : undefined
}

/** An administrator has marked it as shut down, and it does not report. */
function isOutOfService(taints: readonly Taint[]): boolean {
  return taints.some(({ key }) => key === outOfServiceKey) && taints.some(({ key }) => notReadyKeys.includes(key))
}

/** Since when each node named by Pods has been missing: from before, or as of now. */
export function awaySince(
  pods: Iterable<PodFacts>,
  isThere: (node: string) => boolean,
  before: ReadonlyMap<string, number>,
  nowMs: number,
): ReadonlyMap<string, number> {
  const away = new Map<string, number>()
  for (const { nodeName } of pods) {
    if (nodeName !== '' && !away.has(nodeName) && !isThere(nodeName)) away.set(nodeName, before.get(nodeName) ?? nowMs)
  }
  return away
}
