import type { Labels } from '../../api/selectors/label-requirement.ts'
import { deepEqual } from '../../base/equal.ts'
import type {
  HostPort,
  NodeFacts,
  NodeUse,
  PlacedPods,
  PlacementRequirements,
  PodTerm,
  ResourceAmounts,
  ScheduledFacts,
} from './contract.ts'
import { hostPortId } from './host-ports.ts'

interface MutableUse {
  readonly used: Map<string, bigint>
  podCount: number
  readonly hostPorts: Map<string, Map<string, number>>
}

/** Pods of one namespace with the same labels. */
interface LikePods {
  readonly namespace: string
  readonly labels: Labels
  readonly byNode: Map<string, LikeCount>
}

interface LikeCount {
  /** Includes terminating Pods. */
  all: number
  staying: number
}

interface KnownTerm {
  readonly term: PodTerm
  readonly byNode: Map<string, number>
}

/**
 * Totals for each node and each set of labels, so that the cost of placing a Pod depends on the number of nodes and of
 * different kinds of Pods, not on the number of Pods.
 */
export class SchedulerState implements PlacedPods {
  readonly #labelsOfNamespace: (name: string) => Labels | undefined
  readonly #nodes = new Map<string, NodeFacts>()
  readonly #uses = new Map<string, MutableUse>()
  readonly #pods = new Map<string, ScheduledFacts>()
  /** By namespace, then by labels. */
  readonly #alike = new Map<string, Map<string, LikePods>>()
  /** By the namespace to which they apply, then by content. */
  readonly #repelling = new Map<string, Map<string, KnownTerm>>()

  constructor(labelsOfNamespace: (name: string) => Labels | undefined) {
    this.#labelsOfNamespace = labelsOfNamespace
  }

  putNode(node: NodeFacts): void {
    this.#nodes.set(node.name, node)
  }

  removeNode(name: string): void {
    this.#nodes.delete(name)
  }

  /** Undefined: the Pod is gone. Returns whether placements have changed. */
  putPod(key: string, pod: ScheduledFacts | undefined): boolean {
    const before = this.#pods.get(key)
    if (before !== undefined) this.#count(before, -1)
    this.#pods.delete(key)
    if (pod === undefined || !isPlaced(pod)) return before !== undefined
    this.#pods.set(key, pod)
    this.#count(pod, 1)
    return before === undefined || !countsTheSame(before, pod)
  }

  nodes(): readonly NodeUse[] {
    return [...this.#nodes.values()].map((node) => {
      const { used, podCount, hostPorts } = this.#uses.get(node.name) ?? unused
      return { node, used, podCount, hostPorts }
    })
  }

  countByNode(terms: readonly PodTerm[], countsEnding: boolean): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { namespace, labels, byNode } of this.#candidates(terms)) {
      if (!terms.every((term) => this.selects(term, { namespace, labels }))) continue
      for (const [node, { all, staying }] of byNode) add(counts, node, countsEnding ? all : staying)
    }
    return counts
  }

  repelling(pod: PlacementRequirements): readonly KnownTerm[] {
    const near = [pod.namespace, anyNamespace].flatMap((place) => [...(this.#repelling.get(place)?.values() ?? [])])
    return near.filter(({ term }) => this.selects(term, pod))
  }

  selects(
    { namespaces, namespaceSelector, selector }: PodTerm,
    { namespace, labels }: { readonly namespace: string; readonly labels: Labels },
  ): boolean {
    if (!selector.matches(labels)) return false
    return namespaces.has(namespace) || namespaceSelector?.matches(this.#labelsOfNamespace(namespace)) === true
  }

  *#candidates([first]: readonly PodTerm[]): Iterable<LikePods> {
    if (first === undefined) return
    const namespaces = first.namespaceSelector === undefined ? first.namespaces : this.#alike.keys()
    for (const namespace of namespaces) yield* this.#alike.get(namespace)?.values() ?? []
  }

  #count(pod: ScheduledFacts, by: 1 | -1): void {
    this.#countUse(pod, by)
    this.#countLabels(pod, by)
    for (const term of pod.antiAffinity) this.#countTerm(term, pod.nodeName, by)
  }

  #countUse({ nodeName, requests, hostPorts }: ScheduledFacts, by: 1 | -1): void {
    const use = this.#uses.get(nodeName) ?? { used: new Map(), podCount: 0, hostPorts: new Map() }
    this.#uses.set(nodeName, use)
    use.podCount += by
    addAmounts(use.used, requests, BigInt(by))
    for (const port of hostPorts) countPort(use.hostPorts, port, by)
    if (use.podCount === 0) this.#uses.delete(nodeName)
  }

  #countLabels({ namespace, labels, nodeName, isBeingDeleted }: ScheduledFacts, by: 1 | -1): void {
    const inNamespace = this.#alike.get(namespace) ?? new Map<string, LikePods>()
    const id = labelsId(labels)
    const alike = inNamespace.get(id) ?? { namespace, labels, byNode: new Map() }
    const count = alike.byNode.get(nodeName) ?? { all: 0, staying: 0 }
    count.all += by
    if (!isBeingDeleted) count.staying += by
    keep(alike.byNode, nodeName, count, count.all > 0)
    keep(inNamespace, id, alike, alike.byNode.size > 0)
    keep(this.#alike, namespace, inNamespace, inNamespace.size > 0)
  }

  /** Pods of a namespace only pay for terms that apply to it. */
  #countTerm(term: PodTerm, nodeName: string, by: 1 | -1): void {
    const places = term.namespaceSelector === undefined ? term.namespaces : [anyNamespace]
    for (const place of places) {
      const terms = this.#repelling.get(place) ?? new Map<string, KnownTerm>()
      const known = terms.get(term.id) ?? { term, byNode: new Map<string, number>() }
      const count = (known.byNode.get(nodeName) ?? 0) + by
      keep(known.byNode, nodeName, count, count > 0)
      keep(terms, term.id, known, known.byNode.size > 0)
      keep(this.#repelling, place, terms, terms.size > 0)
    }
  }
}

/** Not a valid name of a namespace. */
const anyNamespace = '*'

const unused: MutableUse = { used: new Map(), podCount: 0, hostPorts: new Map() }

function countsTheSame(left: ScheduledFacts, right: ScheduledFacts): boolean {
  return (
    left.nodeName === right.nodeName &&
    left.isBeingDeleted === right.isBeingDeleted &&
    deepEqual(left.labels, right.labels) &&
    deepEqual([...left.requests], [...right.requests])
  )
}

function isPlaced({ nodeName, hasEnded }: ScheduledFacts): boolean {
  return nodeName !== '' && !hasEnded
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

function addAmounts(used: Map<string, bigint>, amounts: ResourceAmounts, times: bigint): void {
  for (const [name, amount] of amounts) used.set(name, (used.get(name) ?? 0n) + amount * times)
}

function countPort(taken: Map<string, Map<string, number>>, port: HostPort, by: 1 | -1): void {
  const id = hostPortId(port)
  const byAddress = taken.get(id) ?? new Map<string, number>()
  const count = (byAddress.get(port.address) ?? 0) + by
  keep(byAddress, port.address, count, count > 0)
  keep(taken, id, byAddress, byAddress.size > 0)
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value, isNeeded: boolean): void {
  if (isNeeded) map.set(key, value)
  else map.delete(key)
}

function labelsId(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
