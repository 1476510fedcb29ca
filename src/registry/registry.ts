import type { Kind } from '../api/kind.ts'
import { type Clock, monotonicClock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { ControllerMetrics } from '../reconcile/controller-metrics.ts'
import type { Store } from '../storage/contract.ts'
import type { ReportTrouble } from './cache.ts'
import { startCompaction } from './compaction.ts'
import type { Engine, Hooks, ResourceContext } from './context.ts'
import type { Registry, Resource } from './contract.ts'
import type { ConvertObjects } from './custom-resources/conversion-webhook.ts'
import { ConvertedMemory } from './custom-resources/converted-memory.ts'
import { ConvertedResource } from './custom-resources/converted-resource.ts'
import { Feed } from './feed.ts'
import { caughtUp } from './freshness.ts'
import { resourceContext, resourceOf } from './resource.ts'
import { SharedBeginnings } from './watch/beginnings.ts'

export interface RegistryOptions {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  /** Reports what caches skip. */
  readonly report?: ReportTrouble
}

export interface NewKind {
  readonly kind: Kind
  readonly hooks: Hooks
  /** Its objects are counted, collected and deleted like all others, but clients cannot reach them. */
  readonly isHidden?: boolean
  /** How its objects are converted to other versions of the kind, if the server does not do that itself. */
  readonly convert?: ConvertObjects
  /** The kind has no stored objects: those of this kind, which is added with it, are converted. */
  readonly convertedFrom?: Kind
}

interface Entry {
  readonly kind: Kind
  readonly convert: ConvertObjects | undefined
  /** For a converted kind: the context of the stored kind. */
  readonly context: ResourceContext
  readonly resource: Resource
  readonly isHidden: boolean
  readonly disconnect: () => void
}

/** The kinds of one API server with one store. */
export class ObjectRegistry implements Registry {
  readonly #engine: Engine
  readonly #entries = new Map<string, Entry>()
  readonly #byKind = new Map<string, ResourceContext>()
  readonly #listeners = new Set<() => void>()
  /** Kinds that do not come from a definition. Needed for each definition, of which there may be many. */
  #ownKinds: readonly Kind[] | undefined
  readonly #convertedMemory = new ConvertedMemory(monotonicClock)
  #stopCompaction: () => void = () => {}

  constructor(options: RegistryOptions) {
    this.#engine = {
      ...options,
      feed: new Feed(options.store),
      metrics: new ControllerMetrics(),
      beginnings: new SharedBeginnings(),
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
    this.#stopCompaction = startCompaction(this.#engine, () => this.contexts())
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

  /** Adds a kind while the server runs. */
  async addLive(kind: Kind, hooks: Hooks = {}): Promise<void> {
    await this.replace([], [{ kind, hooks }])
  }

  remove(kind: Kind): void {
    this.#takeOut(kind)
    this.#changed()
  }

  /**
   * Removes and adds kinds at once while the server runs: until the new ones are loaded, the old ones are served.
   * Watches of removed kinds end; other kinds are not affected, and none is displaced.
   */
  async replace(gone: readonly Kind[], come: readonly NewKind[]): Promise<void> {
    const entries = come.filter((each) => each.convertedFrom === undefined).map((each) => this.#connected(each))
    const converted = come.flatMap((each) => convertedEntry(each, entries, this.#convertedMemory) ?? [])
    try {
      await Promise.all(entries.map(({ context }) => context.cache.load()))
      for (const { kind } of [...entries, ...converted]) this.#requireFree(kind, gone)
    } catch (error) {
      for (const { disconnect } of entries) disconnect()
      throw error
    }
    for (const kind of gone) this.#takeOut(kind)
    for (const entry of [...entries, ...converted]) this.#put(entry)
    this.#changed()
  }

  #requireFree(kind: Kind, gone: readonly Kind[]): void {
    const holder = this.#entries.get(resourceId(kind))?.kind
    if (holder === undefined || gone.includes(holder)) return
    throw new Error(`the kind ${resourceId(kind)} cannot be added: a kind with that name exists already`)
  }

  #connected({ kind, hooks, isHidden = false, convert }: NewKind): Entry {
    const context = resourceContext(kind, this.#engine, hooks)
    const disconnect = this.#engine.feed.connect(context.cache.prefix, context.cache)
    return { kind, convert, context, resource: resourceOf(context), isHidden, disconnect }
  }

  /**
   * A kind with several versions is found by its stored version. If another kind has the same name, the first one
   * counts.
   */
  #put(entry: Entry): void {
    const { kind, context, isHidden } = entry
    const { cache } = context
    this.#entries.set(resourceId(kind), entry)
    if (isOwn(kind)) this.#ownKinds = undefined
    const known = this.#byKind.get(kindId(kind))
    const isBetter = kind.storedAs === undefined && known?.cache.prefix === cache.prefix
    if (!isHidden && (known === undefined || isBetter)) this.#byKind.set(kindId(kind), context)
  }

  #takeOut(kind: Kind): void {
    const entry = this.#entries.get(resourceId(kind))
    if (entry?.kind !== kind) return
    entry.disconnect()
    this.#entries.delete(resourceId(kind))
    if (isOwn(kind)) this.#ownKinds = undefined
    if (entry.context.kind !== kind) return
    entry.context.hub.close()
    if (this.#byKind.get(kindId(kind)) !== entry.context) return
    const others = [...this.#entries.values()].filter(({ isHidden, context }) => !isHidden && context !== entry.context)
    const other = others.find(({ context }) => kindId(context.kind) === kindId(kind))
    if (other === undefined) this.#byKind.delete(kindId(kind))
    else this.#byKind.set(kindId(kind), other.context)
  }

  /** Includes kinds that clients cannot reach. */
  contexts(): readonly ResourceContext[] {
    return [...this.#entries.values()]
      .filter(({ kind, context }) => kind === context.kind)
      .map(({ context }) => context)
  }

  /** The kinds of the server itself, as opposed to those of definitions. */
  ownKinds(): readonly Kind[] {
    this.#ownKinds ??= this.contexts()
      .map(({ kind }) => kind)
      .filter(isOwn)
    return this.#ownKinds
  }

  resources(): readonly Resource[] {
    return [...this.#entries.values()].filter(({ isHidden }) => !isHidden).map(({ resource }) => resource)
  }

  resource(group: string, version: string, plural: string): Resource | undefined {
    const entry = this.#entries.get(`${group}/${version}/${plural}`)
    return entry?.isHidden === true ? undefined : entry?.resource
  }

  /** How objects of a kind are converted to another version; undefined: by the rules of the kinds themselves. */
  conversionOf(kind: Kind): ConvertObjects | undefined {
    return this.#entries.get(resourceId(kind))?.convert
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

function convertedEntry(
  { kind, convert, convertedFrom }: NewKind,
  entries: readonly Entry[],
  memory: ConvertedMemory,
): Entry | undefined {
  const stored = entries.find((entry) => entry.kind === convertedFrom)
  if (stored === undefined || convert === undefined) return undefined
  const resource = new ConvertedResource(kind, stored.resource, convert, memory)
  return { kind, convert, context: stored.context, resource, isHidden: false, disconnect: () => {} }
}

function isOwn({ structure }: Kind): boolean {
  return structure === undefined
}

function kindId({ group, kind }: Kind): string {
  return `${group}/${kind}`
}

function resourceId(kind: Kind): string {
  return `${kind.group}/${kind.version}/${kind.plural}`
}
