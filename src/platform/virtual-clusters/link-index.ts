import type { StoredDocument } from '../../registry/document.ts'
import type { Follower } from '../follow.ts'
import type { KnownInstances } from './identity/placement.ts'
import { isRegistered, linkStateOf, proofHashesOf, type StoredLinkState } from './link-state.ts'

/** The state of one namespace. */
interface NamespaceStates {
  readonly byName: Map<string, StoredLinkState>
  /** Names by the hashes of proofs and offers. */
  readonly byProof: Map<string, string>
}

/** The stored state of all links, by namespace and name, parsed once per change. No lookup depends on their number. */
export class LinkIndex implements Follower {
  readonly #namespaces = new Map<string, NamespaceStates>()
  /** `namespace/name` of the virtual clusters that the store lists as linked to a replica. */
  readonly #byReplica = new Map<string, Set<string>>()
  readonly #onChange: (namespace: string, name: string) => void
  #registered = 0

  constructor(onChange: (namespace: string, name: string) => void) {
    this.#onChange = onChange
  }

  /** The number of virtual clusters that have ever registered. */
  get registered(): number {
    return this.#registered
  }

  get(namespace: string, name: string): StoredLinkState | undefined {
    return this.#namespaces.get(namespace)?.byName.get(name)
  }

  inNamespace(namespace: string): KnownInstances {
    const states = this.#namespaces.get(namespace)
    return {
      get: (name) => states?.byName.get(name),
      withProof: (proofHash) => states?.byProof.get(proofHash),
    }
  }

  /** Replicas that hold links according to the store, whether or not they are alive. */
  replicas(): Iterable<string> {
    return this.#byReplica.keys()
  }

  /** `namespace/name` of each virtual cluster that is linked there. */
  linkedTo(replica: string): Iterable<string> {
    return this.#byReplica.get(replica) ?? []
  }

  put(document: StoredDocument): void {
    const { namespace, name } = document
    this.#forget(namespace, name)
    this.#note(namespace, name, linkStateOf(document))
    this.#onChange(namespace, name)
  }

  remove({ namespace, name }: StoredDocument): void {
    this.#forget(namespace, name)
    if (this.#namespaces.get(namespace)?.byName.size === 0) this.#namespaces.delete(namespace)
    this.#onChange(namespace, name)
  }

  #note(namespace: string, name: string, state: StoredLinkState): void {
    const states = this.#namespaces.get(namespace) ?? { byName: new Map(), byProof: new Map() }
    this.#namespaces.set(namespace, states)
    states.byName.set(name, state)
    for (const hash of proofHashesOf(state)) states.byProof.set(hash, name)
    if (isRegistered(state)) this.#registered += 1
    if (state.replica === '') return
    const linked = this.#byReplica.get(state.replica) ?? new Set()
    this.#byReplica.set(state.replica, linked.add(`${namespace}/${name}`))
  }

  #forget(namespace: string, name: string): void {
    const states = this.#namespaces.get(namespace)
    const state = states?.byName.get(name)
    if (states === undefined || state === undefined) return
    states.byName.delete(name)
    for (const hash of proofHashesOf(state)) if (states.byProof.get(hash) === name) states.byProof.delete(hash)
    if (isRegistered(state)) this.#registered -= 1
    const linked = this.#byReplica.get(state.replica)
    linked?.delete(`${namespace}/${name}`)
    if (linked?.size === 0) this.#byReplica.delete(state.replica)
  }
}
