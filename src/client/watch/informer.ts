import type { KubeObject } from '../../api/object.ts'
import { backoffMs, fraction } from '../../base/backoff.ts'
import { errorText } from '../../base/error-text.ts'
import type { Log } from '../../base/log.ts'
import { pause, rest } from '../../base/pause.ts'
import type { Random } from '../../base/random.ts'
import type { Informer, InformerOptions, ObjectChange, ObjectKey, ResourceType, UnreadableObject } from '../contract.ts'
import { listAllPages, readVersion, usualListLimits } from '../list.ts'
import type { Transport } from '../transport/contract.ts'
import type { ReceivedEvent } from './events.ts'
import { followChanges } from './follow.ts'
import { ObjectCache } from './object-cache.ts'
import { compareVersions } from './resource-version.ts'
import { askedPauseMs, losesHistory, TooManyObjects, VersionsRegressed } from './setback.ts'
import { WatchStability } from './watch-stability.ts'
import { withoutManagedFields } from './without-managed-fields.ts'

/** Short enough that a recovered server is followed again soon, and spread so that it is not overloaded. */
const pauses = { firstMs: 100, longestMs: 5_000 }
/** Lists are far more work than watches, on both sides. */
const listPauses = { firstMs: 100, longestMs: 30_000 }
const longestAskedMs = 60_000

export interface InformerContext {
  readonly transport: Transport
  readonly random: Random
  readonly log: Log
  /** The minimum duration of one watch. Also limits how long a dead connection goes unnoticed. */
  readonly watchSeconds: number
  onStop(informer: Informer): void
}

/** Lists, then watches, and resumes where the watch ended. */
export class WatchingInformer implements Informer {
  readonly #context: InformerContext
  readonly #type: ResourceType
  readonly #options: InformerOptions
  readonly #keep: (object: KubeObject) => KubeObject
  readonly #cache: ObjectCache
  readonly #listeners = new Set<(change: ObjectChange) => void>()
  readonly #stopped = new AbortController()
  readonly #synced: Promise<void>
  #settleSynced: (error?: Error) => void = () => {}
  #isSynced = false
  #mustList = true
  #mustCompare = false
  #failures = 0
  /** Lists since a watch has lasted. */
  #lists = 0
  #trouble: string | undefined

  constructor(context: InformerContext, type: ResourceType, options: InformerOptions) {
    this.#context = context
    this.#type = type
    this.#options = options
    this.#keep = options.keep ?? withoutManagedFields
    this.#cache = new ObjectCache({
      indexes: options.indexes ?? {},
      limits: { ...usualListLimits, ...options.atMost },
      tell: (change) => this.#tell(change),
    })
    this.#synced = new Promise((resolve, reject) => {
      this.#settleSynced = (error) => (error === undefined ? resolve() : reject(error))
    })
    // There may be no caller waiting for it.
    this.#synced.catch(() => {})
    void this.#run()
  }

  get isSynced(): boolean {
    return this.#isSynced
  }

  get trouble(): string | undefined {
    return this.#trouble
  }

  get size(): number {
    return this.#cache.size
  }

  whenSynced(): Promise<void> {
    return this.#synced
  }

  get(key: ObjectKey): KubeObject | undefined {
    return this.#cache.get(key)
  }

  all(): Iterable<KubeObject> {
    return this.#cache.all()
  }

  indexed(index: string, value: string): readonly KubeObject[] {
    return this.#cache.indexed(index, value)
  }

  hasIndexed(index: string, value: string): boolean {
    return this.#cache.hasIndexed(index, value)
  }

  onChange(listener: (change: ObjectChange) => void): () => void {
    for (const after of [...this.#cache.all()]) this.#tellOne(listener, { before: undefined, after })
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  learn(object: KubeObject): void {
    if (this.#isFollowed(object)) this.#cache.learn(this.#keep(object))
  }

  learnGone(object: KubeObject): void {
    if (this.#isFollowed(object)) this.#cache.learnGone(object)
  }

  stop(): void {
    this.#stopped.abort(new Error(`the informer of ${this.#type.resource} has been stopped`))
    this.#settleSynced(this.#stopped.signal.reason)
    this.#context.onStop(this)
  }

  #isFollowed({ metadata }: KubeObject): boolean {
    const { namespace = '' } = this.#options
    return !this.#stopped.signal.aborted && (namespace === '' || namespace === metadata.namespace)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      try {
        if (this.#mustList) await this.#list()
        if (this.#mustCompare) await this.#compare()
        await this.#watch()
      } catch (error) {
        if (!signal.aborted) await this.#failed(error)
      }
    }
  }

  async #list(): Promise<void> {
    const { transport } = this.#context
    const unreadable: UnreadableObject[] = []
    this.#lists++
    const options = {
      ...this.#options,
      keep: (object: KubeObject, bytes: number) => this.#cache.sized(this.#keep(object), bytes),
      onUnreadable: (each: UnreadableObject) => void unreadable.push(each),
    }
    const list = await listAllPages(transport, this.#type, options, this.#stopped.signal)
    this.#stopped.signal.throwIfAborted()
    this.#cache.replace(list, unreadable)
    this.#mustCompare = false
    for (const each of unreadable) this.#leaveOut(each)
    this.#mustList = false
    this.#isSynced = true
    this.#settleSynced()
  }

  /**
   * A server that has gone back in time reports nothing to a watch from a later version, perhaps for days. It may have
   * been away for a moment only, or behind a load balancer.
   */
  async #compare(): Promise<void> {
    const { transport } = this.#context
    const current = await readVersion(transport, this.#type, this.#options, this.#stopped.signal)
    this.#mustCompare = false
    if (compareVersions(current, this.#cache.version ?? '') < 0) throw new VersionsRegressed(this.#type.resource)
  }

  async #watch(): Promise<void> {
    const { transport, random, watchSeconds } = this.#context
    const lasting = new WatchStability(() => {
      this.#lists = 0
    })
    // Spread, so that the informers of a process do not all return at the same time.
    const seconds = Math.ceil(watchSeconds * (1 + fraction(random)))
    const options = {
      ...this.#options,
      resourceVersion: this.#cache.version ?? '',
      seconds,
      onOpen: () => {
        this.#trouble = undefined
        lasting.begin(seconds)
      },
      isKnown: (resourceVersion: string) => this.#cache.hasLearned(resourceVersion),
      onEvents: (events: readonly ReceivedEvent[]) => {
        this.#failures = 0
        this.#apply(events)
      },
    }
    await followChanges(transport, this.#type, options, this.#stopped.signal).finally(() => lasting.end())
    this.#failures = 0
    this.#mustCompare = !lasting.isWhole
    // A server that is about to stop ends each watch at once; reconnecting without a pause would only add to its work.
    if (lasting.isShort) await pause(pauses.firstMs, this.#stopped.signal)
  }

  #apply(events: readonly ReceivedEvent[]): void {
    for (const event of events) {
      if (this.#stopped.signal.aborted) return
      if (event.type === 'unreadable') this.#leaveOut(event.unreadable)
      if (!this.#cache.apply(this.#kept(event))) throw new VersionsRegressed(this.#type.resource)
      if (this.#cache.isOverfull) throw new TooManyObjects(this.#type.resource)
    }
  }

  #kept(event: ReceivedEvent): ReceivedEvent {
    if (event.type !== 'set') return event
    return { ...event, object: this.#cache.sized(this.#keep(event.object), event.bytes) }
  }

  /** Other objects are still followed; a caller that asks for this one learns why it cannot be read. */
  #leaveOut(unreadable: UnreadableObject): void {
    const { resource } = this.#type
    this.#context.log.warn('an object cannot be read and is left out', { resource, ...unreadable })
    this.#options.onUnreadable?.(unreadable)
  }

  async #failed(error: unknown): Promise<void> {
    const { random, log } = this.#context
    this.#failures++
    this.#trouble = errorText(error)
    if (losesHistory(error)) this.#mustList = true
    this.#mustCompare = true
    log.warn('cannot follow a resource', {
      resource: this.#type.resource,
      group: this.#type.group,
      reason: this.#trouble,
      failures: this.#failures,
    })
    const ownMs = this.#mustList
      ? backoffMs(Math.max(this.#failures, this.#lists), listPauses, random)
      : backoffMs(this.#failures, pauses, random)
    const pauseMs = Math.max(ownMs, Math.min(askedPauseMs(error), longestAskedMs))
    await rest(pauseMs, this.#stopped.signal)
  }

  #tell(change: ObjectChange): void {
    // A listener that is added meanwhile has already received the existing objects.
    for (const listener of [...this.#listeners]) this.#tellOne(listener, change)
  }

  /** A failing listener must not make others miss a change. */
  #tellOne(listener: (change: ObjectChange) => void, change: ObjectChange): void {
    try {
      listener(change)
    } catch (error) {
      this.#context.log.error('a listener of an informer failed', { resource: this.#type.resource, error })
    }
  }
}
