/** Identifies one object. */
export type GraphKey = string

export function graphKey(resource: string, namespace: string, name: string): GraphKey {
  return `${resource}/${namespace}/${name}`
}

/**
 * The objects that concern each node: a Pod concerns the node it is bound to, and so does everything it refers to,
 * directly or indirectly. Every change updates the answers, so that a question takes one lookup, however many Pods
 * exist.
 */
export class NodeGraph {
  /** For each object, the nodes that it concerns, with the number of paths to each. */
  readonly #nodes = new Map<GraphKey, Map<string, number>>()
  readonly #references = new Map<GraphKey, Set<GraphKey>>()
  readonly #boundTo = new Map<GraphKey, string>()

  concerns(key: GraphKey, node: string): boolean {
    return this.#nodes.get(key)?.has(node) === true
  }

  /** An empty `node` unbinds the object. */
  bind(key: GraphKey, node: string): void {
    const before = this.#boundTo.get(key) ?? ''
    if (before === node) return
    if (node === '') this.#boundTo.delete(key)
    else this.#boundTo.set(key, node)
    if (before !== '') this.#count(key, before, -1)
    if (node !== '') this.#count(key, node, 1)
  }

  /** `references` replaces everything that the object refers to. References must not form a cycle. */
  refer(key: GraphKey, references: Iterable<GraphKey>): void {
    const now = new Set(references)
    for (const reference of [...(this.#references.get(key) ?? none)]) {
      if (!now.has(reference)) this.unlink(key, reference)
    }
    for (const reference of now) this.link(key, reference)
  }

  link(key: GraphKey, reference: GraphKey): void {
    const references = this.#references.get(key) ?? new Set()
    if (references.has(reference)) return
    this.#references.set(key, references.add(reference))
    this.#countForNodesOf(key, reference, 1)
  }

  unlink(key: GraphKey, reference: GraphKey): void {
    const references = this.#references.get(key)
    if (references?.delete(reference) !== true) return
    if (references.size === 0) this.#references.delete(key)
    this.#countForNodesOf(key, reference, -1)
  }

  #countForNodesOf(key: GraphKey, reference: GraphKey, ways: 1 | -1): void {
    for (const node of this.#nodes.get(key)?.keys() ?? []) this.#count(reference, node, ways)
  }

  #count(key: GraphKey, node: string, ways: 1 | -1): void {
    const nodes = this.#nodes.get(key) ?? new Map<string, number>()
    const before = nodes.get(node) ?? 0
    const now = before + ways
    if (now === 0) nodes.delete(node)
    else nodes.set(node, now)
    if (nodes.size === 0) this.#nodes.delete(key)
    else this.#nodes.set(key, nodes)
    if (before > 0 && now > 0) return
    for (const reference of this.#references.get(key) ?? none) this.#count(reference, node, ways)
  }
}

const none: ReadonlySet<GraphKey> = new Set()
