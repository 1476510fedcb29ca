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

interface Entry {
  readonly context: ResourceContext
  readonly resource: Resource
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
    const context = resourceContext(kind, this.#engine, hooks)
    const disconnect = this.#engine.feed.connect(context.cache.prefix, context.cache)
    this.#entries.set(resourceId(kind), { context, resource: resourceOf(context), disconnect })
    this.#byKind.set(`${kind.group}/${kind.kind}`, context)
    this.#changed()
    return context
  }

  /** A kind that comes while the server runs. */
  async addLive(kind: Kind, hooks: Hooks = {}): Promise<ResourceContext> {
    const context = this.add(kind, hooks)
    await context.cache.load()
    return context
  }

  remove(kind: Kind): void {
    const entry = this.#entries.get(resourceId(kind))
    if (entry === undefined) return
    entry.disconnect()
    entry.context.hub.endAll()
    this.#entries.delete(resourceId(kind))
    this.#byKind.delete(`${kind.group}/${kind.kind}`)
    this.#changed()
  }

  contexts(): readonly ResourceContext[] {
    return [...this.#entries.values()].map(({ context }) => context)
  }

  resources(): readonly Resource[] {
    return [...this.#entries.values()].map(({ resource }) => resource)
  }

  resource(group: string, version: string, plural: string): Resource | undefined {
    return this.#entries.get(`${group}/${version}/${plural}`)?.resource
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

function resourceId(kind: Kind): string {
  return `${kind.group}/${kind.version}/${kind.plural}`
}
