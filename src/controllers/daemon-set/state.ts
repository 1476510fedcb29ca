import { isNoneOf } from '../../api/core/int-or-percent.ts'
import type { DaemonSet } from '../../api/types/apps-v1.ts'
import { hasEnded, isAvailable, type PodFacts } from '../pods/pod-facts.ts'
import { shareOf } from '../pods/share.ts'
import type { DaemonNode } from './daemon-node.ts'
import { daemonHashLabel } from './daemon-pod.ts'
import type { DaemonFit, DaemonPlacement } from './placement.ts'

/** The facts from which a DaemonSet is planned. */
export interface DaemonSetState {
  readonly daemonSet: DaemonSet
  readonly nodes: Iterable<DaemonNode>
  readonly fitOf: DaemonPlacement
  /** All Pods of the DaemonSet. */
  readonly pods: readonly PodFacts[]
  /** The hash of the current revision. */
  readonly hash: string
  /** Whether a failed Pod on the node may be replaced now. */
  readonly mayReplace: (nodeName: string) => boolean
  readonly nowMs: number
}

/** A Node with its Pods. */
export interface DaemonPlace {
  readonly node: string
  readonly fit: DaemonFit
  /** The first one counts. */
  readonly pods: readonly PodFacts[]
}

const noPods: readonly PodFacts[] = []

export interface DaemonLimits {
  readonly maxSurge: number
  readonly maxUnavailable: number
}

/** All Nodes with their Pods. `lost` are Pods whose Node does not exist. */
export function placesOf({ nodes, pods, fitOf }: Pick<DaemonSetState, 'nodes' | 'pods' | 'fitOf'>): {
  readonly places: readonly DaemonPlace[]
  readonly lost: readonly PodFacts[]
} {
  const byNode = podsByNode(pods)
  const places = Array.from(nodes, (node) => {
    const own = byNode.get(node.name) ?? noPods
    byNode.delete(node.name)
    return { node: node.name, fit: fitOf(node), pods: own.length > 1 ? own.toSorted(byAge) : own }
  })
  return { places, lost: [...byNode.values()].flat() }
}

export function wantedCount(places: readonly DaemonPlace[]): number {
  return places.filter(({ fit }) => fit === 'runs').length
}

/** Rounded up. If neither were allowed, nothing could ever change. */
export function daemonLimits({ spec }: DaemonSet, wanted: number): DaemonLimits {
  const { maxSurge = 0, maxUnavailable = 0 } = spec.updateStrategy.rollingUpdate ?? {}
  const surge = shareOf(maxSurge, wanted, Math.ceil)
  const missing = shareOf(maxUnavailable, wanted, Math.ceil)
  return { maxSurge: surge, maxUnavailable: surge === 0 ? Math.max(missing, 1) : missing }
}

export function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy
  return type === 'RollingUpdate' && !isNoneOf(rollingUpdate?.maxSurge)
}

export function isUpdated({ labels }: PodFacts, hash: string): boolean {
  return labels[daemonHashLabel] === hash
}

export function isPodAvailable(
  { daemonSet, nowMs }: Pick<DaemonSetState, 'daemonSet' | 'nowMs'>,
  pod: PodFacts,
): boolean {
  return isAvailable(pod, daemonSet.spec.minReadySeconds ?? 0, nowMs)
}

/** Finished Pods under deletion occupy no node. */
function podsByNode(pods: readonly PodFacts[]): Map<string, PodFacts[]> {
  const byNode = new Map<string, PodFacts[]>()
  for (const pod of pods) {
    const node = pod.nodeName === '' ? pod.onlyNode : pod.nodeName
    if (node === '' || (hasEnded(pod.phase) && pod.isBeingDeleted)) continue
    const there = byNode.get(node)
    if (there === undefined) byNode.set(node, [pod])
    else there.push(pod)
  }
  return byNode
}

/** Bound Pods first, then the oldest. */
function byAge(left: PodFacts, right: PodFacts): number {
  return (
    Number(left.nodeName === '') - Number(right.nodeName === '') ||
    left.createdMs - right.createdMs ||
    (left.name < right.name ? -1 : Number(left.name > right.name))
  )
}
