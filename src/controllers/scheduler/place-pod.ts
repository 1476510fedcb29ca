import {
  type NodeFilter,
  type NodePlacement,
  type NodeRefusal,
  type NodeUse,
  oneUnit,
  type PlacedPods,
  type PlacementRequirements,
} from './contract.ts'
import { byCordon, byHostPorts, byNodeAffinity, byResources, byTaints } from './node-filters.ts'
import { byPodAffinity } from './pod-affinity.ts'
import { mostConditions } from './pod-terms.ts'
import { byTopologySpread } from './topology-spread.ts'
import { unschedulableMessage } from './unschedulable-message.ts'

/** The node for a Pod, or why there is none. */
export function placePod(wish: PlacementRequirements, nodes: readonly NodeUse[], placed: PlacedPods): NodePlacement {
  const { uid, conditionCount } = wish
  if (conditionCount > mostConditions) return { placement: 'refuse', uid, message: tooManyConditions(conditionCount) }
  const filters = filtersFor(wish, nodes, placed)
  const outcomes = nodes.map((use) => ({ use, refusal: refusalBy(filters, use) }))
  const best = leastUsed(outcomes.filter(({ refusal }) => refusal === undefined).map(({ use }) => use))
  if (best !== undefined) return { placement: 'bind', uid, node: best.node.name }
  const refusals = outcomes.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal]))
  return { placement: 'refuse', uid, message: unschedulableMessage(refusals, wish.spec.preemptionPolicy) }
}

function tooManyConditions(count: number): string {
  const asked = `the Pod has ${count} conditions in its required terms of affinity and topology spread`
  return `${asked}; the scheduler of this host looks at ${mostConditions} at most`
}

/** In the order of kube-scheduler: the first filter that refuses a node is reported. */
function filtersFor(wish: PlacementRequirements, nodes: readonly NodeUse[], placed: PlacedPods): readonly NodeFilter[] {
  return [
    byCordon(wish),
    byTaints(wish),
    byNodeAffinity(wish),
    byHostPorts(wish),
    byResources(wish),
    byTopologySpread(wish, nodes, placed),
    byPodAffinity(wish, nodes, placed),
  ]
}

function refusalBy(filters: readonly NodeFilter[], use: NodeUse): NodeRefusal | undefined {
  for (const filter of filters) {
    const refusal = filter(use)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function leastUsed(uses: readonly NodeUse[]): NodeUse | undefined {
  const [first, ...others] = uses
  if (first === undefined || others.length === 0) return first
  return others.reduce((best, use) => (shareOf(use) < shareOf(best) ? use : best), first)
}

/** The share of the node that is used, for its scarcest resource. */
function shareOf({ node: { allocatable }, used, podCount }: NodeUse): number {
  const shares = [...used].map(([name, amount]) => ratio(amount, allocatable.get(name)))
  return Math.max(ratio(BigInt(podCount) * oneUnit, allocatable.get('pods')), ...shares)
}

function ratio(amount: bigint, of = 0n): number {
  return of <= 0n ? 1 : Number((amount * 10_000n) / of) / 10_000
}
