import type { StoredDocument } from '../../registry/document.ts'
import type { Follower } from '../follow.ts'
import { linkStateOf, type StoredLinkState } from './link-state.ts'

const none: ReadonlyMap<string, StoredLinkState> = new Map()

/** One virtual cluster, and what the store says of its link. */
export interface LinkedCluster {
  readonly namespace: string
  readonly name: string
  readonly state: StoredLinkState
}

/** What the store says of all links, by namespace and name, parsed once for each change. */
export class LinkIndex implements Follower {
  readonly #states = new Map<string, Map<string, StoredLinkState>>()
  readonly #onChange: (namespace: string, name: string) => void

  constructor(onChange: (namespace: string, name: string) => void) {
    this.#onChange = onChange
  }

  get(namespace: string, name: string): StoredLinkState | undefined {
    return this.#states.get(namespace)?.get(name)
  }

  inNamespace(namespace: string): ReadonlyMap<string, StoredLinkState> {
    return this.#states.get(namespace) ?? none
  }

  *all(): Iterable<LinkedCluster> {
    for (const [namespace, states] of this.#states) {
      for (const [name, state] of states) yield { namespace, name, state }
    }
  }

  put(document: StoredDocument): void {
    const { namespace, name } = document
    const states = this.#states.get(namespace) ?? new Map<string, StoredLinkState>()
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
