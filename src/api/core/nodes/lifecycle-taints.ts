import type { Node, NodeCondition, Taint } from '../../types/core-v1.ts'

interface ConditionTaint {
  readonly condition: string
  readonly status: string
  readonly key: string
}

/** Which condition of a node keeps new Pods away from it. */
const conditionTaints: readonly ConditionTaint[] = [
  { condition: 'Ready', status: 'False', key: 'node.kubernetes.io/not-ready' },
  { condition: 'Ready', status: 'Unknown', key: 'node.kubernetes.io/unreachable' },
  { condition: 'MemoryPressure', status: 'True', key: 'node.kubernetes.io/memory-pressure' },
  { condition: 'DiskPressure', status: 'True', key: 'node.kubernetes.io/disk-pressure' },
  { condition: 'PIDPressure', status: 'True', key: 'node.kubernetes.io/pid-pressure' },
  { condition: 'NetworkUnavailable', status: 'True', key: 'node.kubernetes.io/network-unavailable' },
]

export const unschedulableTaint = 'node.kubernetes.io/unschedulable'

const ownKeys: ReadonlySet<string> = new Set([unschedulableTaint, ...conditionTaints.map(({ key }) => key)])

const ready = 'Ready'

/** A node that has not reported its readiness is not ready. */
const silent: NodeCondition = { type: ready, status: 'False', lastHeartbeatTime: null, lastTransitionTime: null }

/** The node with the taints that its conditions and `spec.unschedulable` require; undefined if it has them. */
export function withLifecycleTaints(node: Node, now: string): Node | undefined {
  const present = node.spec.taints ?? []
  const wanted = wantedKeys(node)
  const isOwn = ({ key, effect }: Taint) => effect === 'NoSchedule' && ownKeys.has(key)
  const kept = present.filter((taint) => !isOwn(taint) || wanted.has(taint.key))
  const missing = [...wanted].filter((key) => !kept.some((taint) => isOwn(taint) && taint.key === key))
  if (kept.length === present.length && missing.length === 0) return undefined
  const taints = [...kept, ...missing.map((key): Taint => ({ key, effect: 'NoSchedule', timeAdded: now }))]
  const { taints: _, ...spec } = node.spec
  return { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } }
}

function wantedKeys({ spec, status }: Node): ReadonlySet<string> {
  const told = status.conditions ?? []
  const conditions = told.some(({ type }) => type === ready) ? told : [...told, silent]
  const byCondition = conditionTaints.filter(({ condition, status: is }) =>
    conditions.some((each) => each.type === condition && each.status === is),
  )
  return new Set([...byCondition.map(({ key }) => key), ...(spec.unschedulable === true ? [unschedulableTaint] : [])])
}
