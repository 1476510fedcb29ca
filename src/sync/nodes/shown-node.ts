import type { Node, NodeCondition, NodeStatus, NodeSystemInfo, Taint } from '../../api/types/core-v1.ts'
import type { TextMap } from '../contract.ts'

/** What a node of the host is called and does. What operators write down of their machines is theirs. */
const usualLabels: readonly string[] = [
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]

/** What of a node of the host is seen in a virtual cluster. */
export interface ShownNode {
  readonly labels: TextMap
  readonly isUnschedulable: boolean
  readonly taints: readonly Taint[]
  readonly status: NodeStatus
}

/**
 * Without addresses, annotations, names of machines, images and volumes: those are the host's, and of other tenants. The operator
 * may name more labels.
 */
export function shownNode({ metadata, spec, status }: Node, moreLabels: TextMap): ShownNode {
  const { capacity, allocatable, conditions, nodeInfo } = status ?? {}
  const keys = new Set([...usualLabels, ...Object.keys(moreLabels)])
  const labels = Object.entries(metadata.labels ?? {}).filter(([key]) => keys.has(key))
  return {
    labels: Object.fromEntries(labels),
    isUnschedulable: spec?.unschedulable === true,
    taints: shownTaints(spec?.taints ?? []),
    status: {
      ...(capacity && { capacity }),
      ...(allocatable && { allocatable }),
      ...(conditions && { conditions: conditions.map(shownCondition) }),
      addresses: [{ type: 'Hostname', address: metadata.name ?? '' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: shownInfo(nodeInfo),
    },
  }
}

/**
 * What makes Pods leave is the host's to act on, by the tolerations that copies have there. In the virtual cluster it keeps new Pods
 * away, and no more.
 */
function shownTaints(taints: readonly Taint[]): readonly Taint[] {
  const shown = taints.map((taint) => (taint.effect === 'NoExecute' ? { ...taint, effect: 'NoSchedule' } : taint))
  const byMeaning = new Map(shown.map((taint) => [`${taint.key}:${taint.effect}`, taint]))
  return [...byMeaning.values()]
}

/** A heartbeat changes nothing that a tenant could act on, and would be a write for each node and minute. */
function shownCondition({ type, status, lastTransitionTime, reason }: NodeCondition): NodeCondition {
  return {
    type,
    status,
    lastHeartbeatTime: lastTransitionTime,
    lastTransitionTime,
    ...(reason && { reason }),
  }
}

function shownInfo(info: NodeSystemInfo | undefined): NodeSystemInfo {
  return {
    machineID: '',
    systemUUID: '',
    bootID: '',
    kernelVersion: info?.kernelVersion ?? '',
    osImage: info?.osImage ?? '',
    containerRuntimeVersion: info?.containerRuntimeVersion ?? '',
    kubeletVersion: info?.kubeletVersion ?? '',
    kubeProxyVersion: info?.kubeProxyVersion ?? '',
    operatingSystem: info?.operatingSystem ?? '',
    architecture: info?.architecture ?? '',
  }
}
