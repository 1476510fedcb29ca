import { type KubeObject, objectKeyOf } from '../../api/object.ts'
import type { InformerOptions, ListLimits, ObjectChange, ObjectKey, ObjectList } from '../contract.ts'
import type { ReceivedEvent } from './events.ts'
import { IndexTable } from './index-table.ts'
import { compareVersions } from './resource-version.ts'

export interface CacheOptions {
  readonly indexes: NonNullable<InformerOptions['indexes']>
  readonly limits: Pick<ListLimits, 'bytes' | 'objects'>
  readonly tell: (change: ObjectChange) => void
}

/**
 * Objects from the server's reports and from answers to writes. Every state has its place in one order, that of
 * resource versions, so late arrivals are known to be old. Reports each change once.
 */
export class ObjectCache {
  readonly #objects = new Map<string, KubeObject>()
  readonly #indexes: ReadonlyMap<string, IndexTable>
  readonly #limits: CacheOptions['limits']
  readonly #tell: (change: ObjectChange) => void
  /** The received sizes of objects. */
  readonly #sizes = new WeakMap<KubeObject, number>()
  /** By uid: the last version of deleted objects whose deletion the watch has yet to report. */
  readonly #ended = new Map<string, string>()
  /** Versions from answers to writes that the watch has yet to report. */
  readonly #learned = new Set<string>()
  /** The version up to which lists and watches have reported everything. */
  #version: string | undefined
  #bytes = 0

  constructor({ indexes, limits, tell }: CacheOptions) {
    this.#indexes = new Map(Object.entries(indexes).map(([name, valuesOf]) => [name, new IndexTable(valuesOf)]))
    this.#limits = limits
    this.#tell = tell
  }

  get version(): string | undefined {
    return this.#version
  }

  get size(): number {
    return this.#objects.size
  }

  /** Whether there is more than should be kept. */
  get isOverfull(): boolean {
    return this.#bytes > this.#limits.bytes || this.#objects.size > this.#limits.objects
  }

  /** Records the received size of an object to keep. */
  sized(object: KubeObject, bytes: number): KubeObject {
    this.#sizes.set(object, bytes)
    return object
  }

  get(key: ObjectKey): KubeObject | undefined {
    return this.#objects.get(textOf(key))
  }

  all(): Iterable<KubeObject> {
    return this.#objects.values()
  }

  indexed(name: string, value: string): readonly KubeObject[] {
    return [...this.#index(name).find(value)].flatMap((key) => this.#objects.get(key) ?? [])
  }

  hasIndexed(name: string, value: string): boolean {
    return this.#index(name).has(value)
  }

  /** Replaces everything. Later knowledge stays, and so do objects that could not be read. */
  replace({ items, resourceVersion }: ObjectList, unreadable: readonly ObjectKey[] = []): void {
    const isReset = this.#version !== undefined && compareVersions(resourceVersion, this.#version) < 0
    const listed = new Map(items.map((object) => [textOf(objectKeyOf(object)), object]))
    this.#version = resourceVersion
    this.#learned.clear()
    this.#forgetEnded(items, isReset)
    const unread = new Set(unreadable.map(textOf))
    for (const [key, object] of this.#objects) {
      const isLearnedSince = !isReset && compareVersions(versionOf(object), resourceVersion) > 0
      if (!listed.has(key) && !isLearnedSince && !unread.has(key)) this.#set(key, undefined)
    }
    for (const [key, object] of listed) {
      const known = this.#objects.get(key)
      if (isReset || (isNewer(object, known) && !this.#isEnded(object))) this.#set(key, object)
    }
  }

  /** Whether the event fits; false if the server has gone back in time, so that everything must be read again. */
  apply(event: ReceivedEvent): boolean {
    // For an object that cannot be read, the version may be unknown, too.
    if (event.type === 'unreadable' && event.resourceVersion === '') return true
    if (this.#version !== undefined && compareVersions(event.resourceVersion, this.#version) < 0) return false
    this.#version = event.resourceVersion
    this.#learned.delete(event.resourceVersion)
    if (event.type === 'set') this.#put(event.object)
    if (event.type === 'gone') this.#remove(event.object)
    return true
  }

  /** Learns the answer to a write. */
  learn(object: KubeObject): void {
    const isTold = this.#version !== undefined && compareVersions(versionOf(object), this.#version) <= 0
    if (isTold) return
    this.#put(object)
    if (this.get(objectKeyOf(object)) === object) this.#learned.add(versionOf(object))
  }

  /** Whether this state is known, so that the watch need not report it. */
  hasLearned(resourceVersion: string): boolean {
    return this.#learned.has(resourceVersion)
  }

  learnGone(object: KubeObject): void {
    const { uid, finalizers = [] } = object.metadata
    // Its finalizers must be removed first, and the watch will report that.
    if (uid === undefined || finalizers.length > 0) return
    const key = textOf(objectKeyOf(object))
    const known = this.#objects.get(key)
    const isTold =
      known === undefined && this.#version !== undefined && compareVersions(versionOf(object), this.#version) <= 0
    if (isTold) return
    this.#ended.set(uid, versionOf(object))
    if (known?.metadata.uid === uid && !isNewer(known, object)) this.#set(key, undefined)
  }

  #index(name: string): IndexTable {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new Error(`there is no index ${name}`)
    return index
  }

  #put(object: KubeObject): void {
    const key = textOf(objectKeyOf(object))
    if (isNewer(object, this.#objects.get(key)) && !this.#isEnded(object)) this.#set(key, object)
  }

  #remove(object: KubeObject): void {
    const key = textOf(objectKeyOf(object))
    if (object.metadata.uid !== undefined) this.#ended.delete(object.metadata.uid)
    const known = this.#objects.get(key)
    if (known !== undefined && compareVersions(versionOf(known), versionOf(object)) <= 0) this.#set(key, undefined)
  }

  #isEnded({ metadata: { uid = '', resourceVersion = '' } }: KubeObject): boolean {
    const last = this.#ended.get(uid)
    return last !== undefined && compareVersions(resourceVersion, last) <= 0
  }

  /** The deletion of objects that a list no longer contains will never be reported. */
  #forgetEnded(items: readonly KubeObject[], isReset: boolean): void {
    if (this.#ended.size === 0) return
    const present = new Set(isReset ? [] : items.map(({ metadata }) => metadata.uid))
    for (const uid of this.#ended.keys()) if (!present.has(uid)) this.#ended.delete(uid)
  }

  #sizeOf(object: KubeObject | undefined): number {
    return object === undefined ? 0 : (this.#sizes.get(object) ?? 0)
  }

  #set(key: string, after: KubeObject | undefined): void {
    const before = this.#objects.get(key)
    if (after === undefined) this.#objects.delete(key)
    else this.#objects.set(key, after)
    this.#bytes += this.#sizeOf(after) - this.#sizeOf(before)
    for (const index of this.#indexes.values()) index.replace(key, before, after)
    this.#tell({ before, after })
  }
}

function textOf({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`
}

function versionOf({ metadata }: KubeObject): string {
  return metadata.resourceVersion ?? ''
}

function isNewer(object: KubeObject, known: KubeObject | undefined): boolean {
  return known === undefined || compareVersions(versionOf(object), versionOf(known)) > 0
}
