import type { KubeObject } from '../../api/object.ts'
import { Pace } from '../../base/pace.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { ChangeEvent } from '../../registry/watch/event.ts'
import type { Owned, OwnerId } from './owned.ts'

/** One change: `before` is absent for a new object, `after` for a deleted one. */
export interface OwnedChange<Facts> {
  readonly before: Facts | undefined
  readonly after: Facts | undefined
}

export interface OwnedOptions<Facts> {
  readonly context: ResourceContext
  readonly read: (object: KubeObject) => Facts
  /** Called with an object that cannot be read. It counts as absent. */
  readonly unreadable: (document: StoredDocument, error: unknown) => void
  /** Additional groups, for objects that are looked up together. */
  readonly groupsOf?: (facts: Facts) => readonly string[]
}

/**
 * Facts about all objects of a kind, by the controller that they name. Each state of an object is parsed once, and only
 * what `read` returns is kept. Once loaded, it is as new as the cache: it includes every acknowledged write.
 */
export class OwnedObjects<Facts extends Owned> {
  readonly #options: OwnedOptions<Facts>
  /** Resolves when all existing objects are known. */
  readonly loaded: Promise<void>
  readonly #all = new Map<string, Facts>()
  /**
   * Each object is in two groups: that of its controller, or of objects without one, and that of its namespace.
   * `groupsOf` adds more.
   */
  readonly #groups = new Map<string, Map<string, Facts>>()
  readonly #listeners = new Set<(change: OwnedChange<Facts>) => void>()
  readonly #unfollow: () => void
  #isStopped = false

  constructor(options: OwnedOptions<Facts>) {
    this.#options = options
    this.#unfollow = options.context.cache.listen((events) => {
      for (const event of events) this.#observe(event)
    })
    this.loaded = this.#load()
  }

  stop(): void {
    this.#isStopped = true
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

  /** Whether the object exists, even if it cannot be read. */
  isStored(id: { readonly namespace: string; readonly name: string }): boolean {
    return this.#options.context.cache.get(id) !== undefined
  }

  /** Only those in the owner's namespace: objects elsewhere can name its uid, but do not concern it. */
  ownedBy(owner: OwnerId): readonly Facts[] {
    return [...(this.#groups.get(ownedGroup(owner))?.values() ?? [])]
  }

  /** Objects without a controller. */
  looseIn(namespace: string): readonly Facts[] {
    return [...(this.#groups.get(looseGroup(namespace))?.values() ?? [])]
  }

  in(namespace: string): readonly Facts[] {
    return [...(this.#groups.get(namespaceGroup(namespace))?.values() ?? [])]
  }

  inGroup(group: string): readonly Facts[] {
    return [...(this.#groups.get(ownGroup(group))?.values() ?? [])]
  }

  /** In steps: there may be very many. Objects that change meanwhile are read by the listener instead. */
  async #load(): Promise<void> {
    const { cache } = this.#options.context
    const pace = new Pace()
    for (const document of cache.snapshot().values()) {
      await pace.step()
      if (this.#isStopped) return
      if (cache.get(document) === document) this.#put(relativeKey(document), this.#factsOf(document))
    }
  }

  #observe({ type, document }: ChangeEvent): void {
    const key = relativeKey(document)
    const before = this.#all.get(key)
    const after = type === 'DELETED' ? undefined : this.#factsOf(document)
    this.#remove(key, before)
    this.#put(key, after)
    const { cache } = this.#options.context
    const change = { before, after }
    for (const listener of this.#listeners) cache.attempt(document, () => listener(change))
  }

  /** Objects of other versions, or restored ones, may lack what this version writes. */
  #factsOf(document: StoredDocument): Facts | undefined {
    const { read, unreadable } = this.#options
    try {
      return read(document.object)
    } catch (error) {
      unreadable(document, error)
      return undefined
    }
  }

  #groupsOf(facts: Facts): readonly string[] {
    const more = this.#options.groupsOf?.(facts) ?? []
    return more.length === 0 ? groupsOf(facts) : [...groupsOf(facts), ...more.map(ownGroup)]
  }

  #put(key: string, facts: Facts | undefined): void {
    if (facts === undefined) return
    this.#all.set(key, facts)
    for (const group of this.#groupsOf(facts)) {
      const members = this.#groups.get(group) ?? new Map<string, Facts>()
      this.#groups.set(group, members.set(key, facts))
    }
  }

  #remove(key: string, facts: Facts | undefined): void {
    if (facts === undefined) return
    this.#all.delete(key)
    for (const group of this.#groupsOf(facts)) {
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

/** No namespace contains a slash; a uid in a reference may contain anything. */
function ownedGroup({ namespace, uid }: OwnerId): string {
  return `owned/${namespace}/${uid}`
}

function looseGroup(namespace: string): string {
  return `loose/${namespace}`
}

function namespaceGroup(namespace: string): string {
  return `all/${namespace}`
}

function ownGroup(group: string): string {
  return `own/${group}`
}
