import { type NodeAsker, nodeAsker } from '../nodes/node-affinity.ts'
import { blockingEffects, type TaintCheck, toleratedBy, untoleratedTaint } from '../nodes/taints.ts'
import type { NodeFacts, NodeFilter, NodeUse, PlacedPods, PlacementRequirements, SpreadRule } from './contract.ts'
import { countByDomain, topologyDomain } from './pod-affinity.ts'

const reason = "node(s) didn't match pod topology spread constraints"

/** Excludes nodes where a domain would exceed the one with the fewest Pods by more than the allowed skew. */
export function byTopologySpread(
  wish: PlacementRequirements,
  nodes: readonly NodeUse[],
  placed: PlacedPods,
): NodeFilter {
  const labeled = nodes.filter(({ node }) =>
    wish.spread.every(({ term }) => topologyDomain(node, term.topologyKey) !== undefined),
  )
  const asking = { isAskedFor: nodeAsker(wish.spec), isTolerated: toleratedBy(wish.spec.tolerations ?? []) }
  const rules = wish.spread.map((rule) => {
    const counted = labeled.filter(({ node }) => isCounted(rule, asking, node))
    const counts = countByDomain(counted, rule.term.topologyKey, placed.countByNode([rule.term], false))
    const fewest = counts.size < rule.minDomains ? 0 : Math.min(...counts.values())
    return { rule, counts, fewest, own: placed.selects(rule.term, wish) ? 1 : 0 }
  })
  return ({ node }) => {
    for (const { rule, counts, fewest, own } of rules) {
      const domain = topologyDomain(node, rule.term.topologyKey)
      if (domain === undefined) return { reasons: [`${reason} (missing required label)`], isFinal: true }
      if ((counts.get(domain) ?? 0) + own - fewest > rule.maxSkew) return { reasons: [reason], isFinal: false }
    }
    return undefined
  }
}

interface Asking {
  readonly isAskedFor: NodeAsker
  readonly isTolerated: TaintCheck
}

function isCounted({ honorsAffinity, honorsTaints }: SpreadRule, asking: Asking, node: NodeFacts): boolean {
  if (honorsAffinity && !asking.isAskedFor(node)) return false
  return !honorsTaints || untoleratedTaint(node.taints, asking.isTolerated, blockingEffects) === undefined
}
