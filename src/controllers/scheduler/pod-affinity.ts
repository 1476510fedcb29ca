import type {
  NodeFacts,
  NodeFilter,
  NodeRefusal,
  NodeUse,
  PlacedPods,
  PlacementRequirements,
  PodTerm,
} from './contract.ts'

/** How many Pods are in each topology domain. */
type CountByDomain = ReadonlyMap<string, number>

/** Near the Pods of its affinity, and apart from those that its anti-affinity or theirs excludes. */
export function byPodAffinity(wish: PlacementRequirements, nodes: readonly NodeUse[], placed: PlacedPods): NodeFilter {
  const domainsOf = (term: PodTerm, byNode: ReadonlyMap<string, number>) => ({
    term,
    counts: countByDomain(nodes, term.topologyKey, byNode),
  })
  const together = wish.affinity.length === 0 ? new Map() : placed.countByNode(wish.affinity, true)
  const wanted = wish.affinity.map((term) => domainsOf(term, together))
  const isFirst =
    [...together.values()].every((count) => count === 0) && wish.affinity.every((term) => placed.selects(term, wish))
  const unwanted = wish.antiAffinity.map((term) => domainsOf(term, placed.countByNode([term], true)))
  const repelling = placed.repelling(wish).map(({ term, byNode }) => domainsOf(term, byNode))
  return ({ node }) => {
    const isBeside = wanted.every(({ term, counts }) => hasSome(node, term, counts) || (isFirst && isIn(node, term)))
    if (!isBeside) return { reasons: ["node(s) didn't match pod affinity rules"], isFinal: true }
    if (unwanted.some(({ term, counts }) => hasSome(node, term, counts)))
      return apart("didn't match pod anti-affinity rules")
    if (repelling.some(({ term, counts }) => hasSome(node, term, counts))) {
      return apart("didn't satisfy existing pods anti-affinity rules")
    }
    return undefined
  }
}

function apart(reason: string): NodeRefusal {
  return { reasons: [`node(s) ${reason}`], isFinal: false }
}

export function topologyDomain({ labels }: NodeFacts, topologyKey: string): string | undefined {
  return Object.hasOwn(labels, topologyKey) ? labels[topologyKey] : undefined
}

export function countByDomain(
  nodes: readonly NodeUse[],
  topologyKey: string,
  byNode: ReadonlyMap<string, number>,
): CountByDomain {
  const counts = new Map<string, number>()
  for (const { node } of nodes) {
    const domain = topologyDomain(node, topologyKey)
    if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + (byNode.get(node.name) ?? 0))
  }
  return counts
}

function isIn(node: NodeFacts, { topologyKey }: PodTerm): boolean {
  return topologyDomain(node, topologyKey) !== undefined
}

function hasSome(node: NodeFacts, { topologyKey }: PodTerm, counts: CountByDomain): boolean {
  const domain = topologyDomain(node, topologyKey)
  return domain !== undefined && (counts.get(domain) ?? 0) > 0
}
