import type { Kind } from '../api/kind.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Store } from '../storage/contract.ts'
import { startCompaction } from './compaction.ts'
import type { Engine, Hooks, ResourceContext } from './context.ts'
import type { Registry, Resource } from './contract.ts'
import { Feed } from './feed.ts'
import { caughtUp } from './freshness.ts'
import { resourceContext, resourceOf } from './resource.ts'

export interface RegistryOptions {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
}

export interface NewKind {
  readonly kind: Kind
  readonly hooks: Hooks
  /** Its objects are counted, collected and deleted like all others, and no client reaches them. */
  readonly isHidden?: boolean
}

interface Entry {
  readonly context: ResourceContext
  readonly resource: Resource
  readonly isHidden: boolean
  readonly disconnect: () => void
}

/** The kinds of one API server over one store. */
export class ObjectRegistry implements Registry {
  readonly #engine: Engine
  readonly #entries = new Map<string, Entry>()
  readonly #byKind = new Map<string, ResourceContext>()
  readonly #listeners = new Set<() => void>()
  #stopCompaction: () => void = () => {}

  constructor(options: RegistryOptions) {
    this.#engine = {
      ...options,
      feed: new Feed(options.store),
      find: (group, kind) => this.#byKind.get(`${group}/${kind}`),
    }
  }

  get engine(): Engine {
    return this.#engine
  }

  /**
   * Loads the caches and follows the store from there, until its revision is no older than what was loaded. Kinds are
   * added before, or later at any time.
   */
  async start(): Promise<void> {
    await this.#engine.feed.start()
    await Promise.all([...this.#entries.values()].map(({ context }) => context.cache.load()))
    await caughtUp(this.#engine)
    this.#stopCompaction = startCompaction(this.#engine)
  }

  /** Ends every watch and stops following the store. Closing the store is up to the caller that opened it. */
  async stop(): Promise<void> {
    this.#stopCompaction()
    for (const { context } of this.#entries.values()) context.hub.endAll()
    await this.#engine.feed.stop()
  }

  add(kind: Kind, hooks: Hooks = {}): ResourceContext {
    const entry = this.#connected({ kind, hooks })
    this.#put(entry)
    this.#changed()
    return entry.context
  }

  /** A kind that comes while the server runs. */
  async addLive(kind: Kind, hooks: Hooks = {}): Promise<void> {
    await this.replace([], [{ kind, hooks }])
  }

  remove(kind: Kind): void {
    this.#takeOut(kind)
    this.#changed()
  }

  /**
   * Kinds that go and come while the server runs, all in one moment: until the new ones are loaded, the old ones are
   * served. Watches of those that go are ended; no other kind notices anything, and none is displaced.
   */
  async replace(gone: readonly Kind[], come: readonly NewKind[]): Promise<void> {
    const entries = come.map((each) => this.#connected(each))
    try {
      await Promise.all(entries.map(({ context }) => context.cache.load()))
      for (const { context } of entries) this.#requireFree(context.kind, gone)
    } catch (error) {
      for (const { disconnect } of entries) disconnect()
      throw error
    }
    for (const kind of gone) this.#takeOut(kind)
    for (const entry of entries) this.#put(entry)
    this.#changed()
  }

  #requireFree(kind: Kind, gone: readonly Kind[]): void {
    const holder = this.#entries.get(resourceId(kind))?.context.kind
    if (holder === undefined || gone.includes(holder)) return
    throw new Error(`the kind ${resourceId(kind)} cannot come: one of that name is there already`)
  }

  #connected({ kind, hooks, isHidden = false }: NewKind): Entry {
    const context = resourceContext(kind, this.#engine, hooks)
    const disconnect = this.#engine.feed.connect(context.cache.prefix, context.cache)
    return { context, resource: resourceOf(context), isHidden, disconnect }
  }

  /** A kind of several versions is found by the one that is stored. Another kind that calls itself the same comes too late. */
  #put(entry: Entry): void {
    const { context, isHidden } = entry
    const { kind, cache } = context
    this.#entries.set(resourceId(kind), entry)
    const known = this.#byKind.get(kindId(kind))
    const isBetter = kind.storedAs === undefined && known?.cache.prefix === cache.prefix
    if (!isHidden && (known === undefined || isBetter)) this.#byKind.set(kindId(kind), context)
  }

  #takeOut(kind: Kind): void {
    const entry = this.#entries.get(resourceId(kind))
    if (entry?.context.kind !== kind) return
    entry.disconnect()
    entry.context.hub.close()
    this.#entries.delete(resourceId(kind))
    if (this.#byKind.get(kindId(kind)) !== entry.context) return
    const others = [...this.#entries.values()].filter(({ isHidden }) => !isHidden)
    const other = others.find(({ context }) => kindId(context.kind) === kindId(kind))
    if (other === undefined) this.#byKind.delete(kindId(kind))
    else this.#byKind.set(kindId(kind), other.context)
  }

  /** Of all kinds, also of those that no client reaches. */
  contexts(): readonly ResourceContext[] {
    return [...this.#entries.values()].map(({ context }) => context)
  }

  resources(): readonly Resource[] {
    return [...this.#entries.values()].filter(({ isHidden }) => !isHidden).map(({ resource }) => resource)
  }

  resource(group: string, version: string, plural: string): Resource | undefined {
    const entry = this.#entries.get(`${group}/${version}/${plural}`)
    return entry?.isHidden === true ? undefined : entry?.resource
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

function kindId({ group, kind }: Kind): string {
  return `${group}/${kind}`
}

function resourceId(kind: Kind): string {
  return `${kind.group}/${kind.version}/${kind.plural}`
}
