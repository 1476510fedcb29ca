import type { Node, NodeCondition } from '../../api/types/core-v1.ts'

/** Conditions that only the node itself can report. */
const toldByNode: readonly string[] = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** Marks the conditions of a node that has stopped reporting as unknown. Undefined if they already are. */
export function silentNode(node: Node, now: string): Node | undefined {
  const told = node.status.conditions ?? []
  const missing = toldByNode.filter((type) => !told.some((each) => each.type === type))
  const conditions = [
    ...told.map((condition) => unknownCondition(condition, now)),
    ...missing.map(neverTold(node, now)),
  ]
  const isSame = missing.length === 0 && conditions.every((condition, index) => condition === told[index])
  return isSame ? undefined : { ...node, status: { ...node.status, conditions } }
}

function unknownCondition(condition: NodeCondition, now: string): NodeCondition {
  if (!toldByNode.includes(condition.type) || condition.status === 'Unknown') return condition
  return {
    ...condition,
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
    lastTransitionTime: now,
  }
}

/** As in Kubernetes, the last that was heard of it is that it was made. */
function neverTold({ metadata }: Node, now: string): (type: string) => NodeCondition {
  return (type) => ({
    type,
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: metadata.creationTimestamp ?? null,
    lastTransitionTime: now,
  })
}
