import type { KubeObject } from '../../api/object.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { ChangeEvent } from '../../registry/watch/event.ts'
import type { Owned, OwnerId } from './owned.ts'

/** One change: `before` is absent for a new object, `after` for one that is gone. */
export interface OwnedChange<Facts> {
  readonly before: Facts | undefined
  readonly after: Facts | undefined
}

/**
 * What is known of all objects of a kind, by the controller that they name. Each object is parsed once for each of its
 * states, and only what `read` takes of it is kept. It is as new as the cache: a write that was answered is in it.
 */
export class OwnedObjects<Facts extends Owned> {
  readonly #read: (object: KubeObject) => Facts
  readonly #all = new Map<string, Facts>()
  /** Each object is in two: that of its controller, or of those that have none, and that of its namespace. */
  readonly #groups = new Map<string, Map<string, Facts>>()
  readonly #listeners = new Set<(change: OwnedChange<Facts>) => void>()
  readonly #unfollow: () => void

  constructor({ cache }: ResourceContext, read: (object: KubeObject) => Facts) {
    this.#read = read
    for (const document of cache.current().values()) this.#put(relativeKey(document), this.#factsOf(document))
    this.#unfollow = cache.listen((events) => {
      for (const event of events) this.#observe(event)
    })
  }

  stop(): void {
    this.#unfollow()
  }

  listen(listener: (change: OwnedChange<Facts>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  all(): Iterable<Facts> {
    return this.#all.values()
  }

  get(id: { readonly namespace: string; readonly name: string }): Facts | undefined {
    return this.#all.get(relativeKey(id))
  }

  /** Those in its own namespace: what is elsewhere can name its uid, and is no concern of it. */
  ownedBy(owner: OwnerId): readonly Facts[] {
    return [...(this.#groups.get(ownedGroup(owner))?.values() ?? [])]
  }

  /** Those that no controller has. */
  looseIn(namespace: string): readonly Facts[] {
    return [...(this.#groups.get(looseGroup(namespace))?.values() ?? [])]
  }

  in(namespace: string): readonly Facts[] {
    return [...(this.#groups.get(namespaceGroup(namespace))?.values() ?? [])]
  }

  #observe({ type, document }: ChangeEvent): void {
    const key = relativeKey(document)
    const before = this.#all.get(key)
    const after = type === 'DELETED' ? undefined : this.#factsOf(document)
    this.#remove(key, before)
    if (after !== undefined) this.#put(key, after)
    for (const listener of this.#listeners) listener({ before, after })
  }

  #factsOf(document: StoredDocument): Facts {
    return this.#read(document.object)
  }

  #put(key: string, facts: Facts): void {
    this.#all.set(key, facts)
    for (const group of groupsOf(facts)) {
      const members = this.#groups.get(group) ?? new Map<string, Facts>()
      this.#groups.set(group, members.set(key, facts))
    }
  }

  #remove(key: string, facts: Facts | undefined): void {
    if (facts === undefined) return
    this.#all.delete(key)
    for (const group of groupsOf(facts)) {
      const members = this.#groups.get(group)
      members?.delete(key)
      if (members?.size === 0) this.#groups.delete(group)
    }
  }
}

function groupsOf({ controller, namespace }: Owned): readonly string[] {
  const { uid } = controller ?? {}
  return [uid === undefined ? looseGroup(namespace) : ownedGroup({ namespace, uid }), namespaceGroup(namespace)]
}

/** No namespace contains a slash; a uid that a reference names may contain anything. */
function ownedGroup({ namespace, uid }: OwnerId): string {
  return `owned/${namespace}/${uid}`
}

function looseGroup(namespace: string): string {
  return `loose/${namespace}`
}

function namespaceGroup(namespace: string): string {
  return `all/${namespace}`
}
