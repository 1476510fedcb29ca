import type { PodSpec, Toleration } from '../../api/types/core-v1.ts'
import { nodeAsker } from '../nodes/node-affinity.ts'
import { blockingEffects, toleratedBy, untoleratedTaint } from '../nodes/taints.ts'
import type { DaemonNode } from './daemon-node.ts'

/** `runs`: the Node gets a Pod. `stays`: an existing Pod may stay. `never`: it must be removed. */
export type DaemonFit = 'runs' | 'stays' | 'never'

export type DaemonPlacement = (node: DaemonNode) => DaemonFit

/** Daemons also run where other Pods are kept away: a node may need them to recover. */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
]

/** Pods on the host network do not wait for the Pod network. */
const hostNetworkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
}

export function tolerationsOf({ tolerations = [], hostNetwork }: PodSpec): readonly Toleration[] {
  const wanted = hostNetwork === true ? [...daemonTolerations, hostNetworkToleration] : daemonTolerations
  const missing = wanted.filter((each) => !tolerations.some((own) => isSame(own, each)))
  return [...tolerations.map((own) => wanted.find((each) => isSame(own, each)) ?? own), ...missing]
}

export function daemonPlacement(spec: PodSpec): DaemonPlacement {
  const { nodeName } = spec
  const isAskedFor = nodeAsker(spec)
  const isTolerated = toleratedBy(tolerationsOf(spec))
  return (node) => {
    if ((nodeName ?? node.name) !== node.name || !isAskedFor(node)) return 'never'
    if (untoleratedTaint(node.taints, isTolerated, blockingEffects) === undefined) return 'runs'
    return untoleratedTaint(node.taints, isTolerated, ['NoExecute']) === undefined ? 'stays' : 'never'
  }
}

function isSame(left: Toleration, right: Toleration): boolean {
  const isEqual = (member: 'key' | 'operator' | 'value' | 'effect') => (left[member] ?? '') === (right[member] ?? '')
  return isEqual('key') && isEqual('operator') && isEqual('value') && isEqual('effect')
}
