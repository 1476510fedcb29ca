import type { Node, NodeCondition, NodeStatus, NodeSystemInfo, Taint } from '../../api/types/core-v1.ts'
import type { TextMap } from '../contract.ts'

/** Labels about a node's name and properties. Labels that operators add to their machines are not shown. */
const usualLabels: readonly string[] = [
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]

/** The part of a host's node that a virtual cluster sees. */
export interface ShownNode {
  readonly labels: TextMap
  readonly isUnschedulable: boolean
  readonly taints: readonly Taint[]
  readonly status: NodeStatus
}

/**
 * Excludes addresses, annotations, machine names, images and volumes, which belong to the host and other tenants. The
 * operator may name more labels.
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
 * The host evicts Pods, by the tolerations of their copies. In the virtual cluster, such a taint only keeps new Pods
 * away.
 */
function shownTaints(taints: readonly Taint[]): readonly Taint[] {
  const shown = taints.map((taint) => (taint.effect === 'NoExecute' ? { ...taint, effect: 'NoSchedule' } : taint))
  const byMeaning = new Map(shown.map((taint) => [`${taint.key}:${taint.effect}`, taint]))
  return [...byMeaning.values()]
}

/** Omits heartbeats, which change nothing for a tenant and would cost a write per node and minute. */
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
