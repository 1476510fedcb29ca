import { nodeLeaseNamespace } from '../../api/core/nodes/kubelet.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Lease } from '../../api/types/coordination-v1.ts'
import type { Node, NodeCondition, NodeStatus } from '../../api/types/core-v1.ts'
import { microTimestamp, timestamp } from '../../base/clock.ts'
import { renewalSeconds, simulatedNodeAddress, simulatedNodeName, simulatedPodRange } from './settings.ts'

/** As much as a large machine has, with room for more Pods: they cost little. */
const capacity = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '2048' }

const nothingRuns = 'nothing runs here'

const conditions: readonly Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: `the node is simulated: ${nothingRuns}` },
]

/** The node when it is first registered. */
export function newSimulatedNode(version: string, nowMs: number): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: simulatedNodeName,
      labels: {
        'kubernetes.io/hostname': simulatedNodeName,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'node-role.kubernetes.io/simulated': '',
        'node.kubernetes.io/instance-type': 'simulated',
        'topology.kubernetes.io/region': 'simulated',
        'topology.kubernetes.io/zone': 'simulated',
      },
    },
    spec: { podCIDR: simulatedPodRange, podCIDRs: [simulatedPodRange] },
    status: { ...reported(version, nowMs), capacity, allocatable: capacity },
  }
}

/** The node's report after a start. Its capacity, and conditions set by others, stay unchanged. */
export function refreshedNode(node: Node, version: string, nowMs: number): Node {
  const { conditions: fresh = [], ...status } = reported(version, nowMs)
  const before = node.status.conditions ?? []
  const since = ({ type, status: is }: NodeCondition) =>
    before.find((each) => each.type === type && each.status === is)?.lastTransitionTime ?? timestamp(nowMs)
  const own = fresh.map((each) => ({ ...each, lastTransitionTime: since(each) }))
  const others = before.filter(({ type }) => !own.some((each) => each.type === type))
  return { ...node, status: { ...node.status, ...status, conditions: [...others, ...own] } }
}

function reported(version: string, nowMs: number): NodeStatus {
  const now = timestamp(nowMs)
  return {
    addresses: [
      { type: 'InternalIP', address: simulatedNodeAddress },
      { type: 'Hostname', address: simulatedNodeName },
    ],
    conditions: conditions.map((each) => ({ ...each, lastHeartbeatTime: now, lastTransitionTime: now })),
    daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
    nodeInfo: {
      machineID: simulatedNodeName,
      systemUUID: simulatedNodeName,
      bootID: simulatedNodeName,
      kernelVersion: 'none',
      osImage: `Simulated: ${nothingRuns}`,
      containerRuntimeVersion: 'simulated://0.0.0',
      kubeletVersion: version,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  }
}

/** Three renewals may be missed. */
export function nodeLease(node: KubeObject, nowMs: number): Lease {
  const { name = '', uid = '' } = node.metadata
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: nodeLeaseNamespace,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 4 * renewalSeconds, renewTime: microTimestamp(nowMs) },
  }
}
