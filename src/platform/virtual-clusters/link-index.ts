import type { StoredDocument } from '../../registry/document.ts'
import type { Follower } from '../follow.ts'
import { type LinkState, linkStateOf } from './link-state.ts'

const none: ReadonlyMap<string, LinkState> = new Map()

/** One virtual cluster, and what the store says of its link. */
export interface LinkedCluster {
  readonly namespace: string
  readonly name: string
  readonly state: LinkState
}

/** What the store says of all links, by namespace and name, parsed once for each change. */
export class LinkIndex implements Follower {
  readonly #states = new Map<string, Map<string, LinkState>>()
  readonly #onChange: (namespace: string, name: string) => void

  constructor(onChange: (namespace: string, name: string) => void) {
    this.#onChange = onChange
  }

  get(namespace: string, name: string): LinkState | undefined {
    return this.#states.get(namespace)?.get(name)
  }

  inNamespace(namespace: string): ReadonlyMap<string, LinkState> {
    return this.#states.get(namespace) ?? none
  }

  *all(): Iterable<LinkedCluster> {
    for (const [namespace, states] of this.#states) {
      for (const [name, state] of states) yield { namespace, name, state }
    }
  }

  put(document: StoredDocument): void {
    const { namespace, name } = document
    const states = this.#states.get(namespace) ?? new Map<string, LinkState>()
    this.#states.set(namespace, states)
    states.set(name, linkStateOf(document))
    this.#onChange(namespace, name)
  }

  remove({ namespace, name }: StoredDocument): void {
    const states = this.#states.get(namespace)
    states?.delete(name)
    if (states?.size === 0) this.#states.delete(namespace)
    this.#onChange(namespace, name)
  }
}
