import { unschedulableTaint } from '../../api/core/nodes/lifecycle-taints.ts'
import { nodeAsker } from '../nodes/node-affinity.ts'
import { blockingEffects, toleratedBy, tolerates, untoleratedTaint } from '../nodes/taints.ts'
import {
  type HostPort,
  type NodeFilter,
  type NodeRefusal,
  oneUnit,
  type PlacementRequirements,
  type TakenPorts,
} from './contract.ts'
import { anyAddress, hostPortId } from './host-ports.ts'

/** A refusal that does not depend on other Pods. */
function never(reason: string): NodeRefusal {
  return { reasons: [reason], isFinal: true }
}

export function byCordon({ spec }: PlacementRequirements): NodeFilter {
  const taint = { key: unschedulableTaint, effect: 'NoSchedule' }
  const isTolerated = (spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint))
  return ({ node }) => (node.isUnschedulable && !isTolerated ? never('node(s) were unschedulable') : undefined)
}

export function byTaints({ spec }: PlacementRequirements): NodeFilter {
  const isTolerated = toleratedBy(spec.tolerations ?? [])
  return ({ node }) => {
    const taint = untoleratedTaint(node.taints, isTolerated, blockingEffects)
    if (taint === undefined) return undefined
    return never(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`)
  }
}

export function byNodeAffinity({ spec }: PlacementRequirements): NodeFilter {
  const isAskedFor = nodeAsker(spec)
  return ({ node }) => (isAskedFor(node) ? undefined : never("node(s) didn't match Pod's node affinity/selector"))
}

export function byHostPorts({ hostPorts }: PlacementRequirements): NodeFilter {
  return (use) => {
    if (!hostPorts.some((port) => isTaken(port, use.hostPorts))) return undefined
    return { reasons: ["node(s) didn't have free ports for the requested pod ports"], isFinal: false }
  }
}

/** A port on all addresses collides with each one. */
function isTaken(port: HostPort, taken: TakenPorts): boolean {
  const byAddress = taken.get(hostPortId(port))
  if (byAddress === undefined) return false
  return port.address === anyAddress || byAddress.has(anyAddress) || byAddress.has(port.address)
}

/** Reports all reasons. */
export function byResources({ requests }: PlacementRequirements): NodeFilter {
  return ({ node: { allocatable }, used, podCount }) => {
    const mostPods = allocatable.get('pods') ?? 0n
    const lacking = [...requests].filter(
      ([name, amount]) => amount > 0n && amount > (allocatable.get(name) ?? 0n) - (used.get(name) ?? 0n),
    )
    const reasons = [
      ...(BigInt(podCount + 1) * oneUnit > mostPods ? ['Too many pods'] : []),
      ...lacking.map(([name]) => `Insufficient ${name}`),
    ]
    return reasons.length === 0 ? undefined : { reasons, isFinal: false }
  }
}
