import type { KubeObject } from '../api/object.ts'

/** A resource as a server serves it. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  /** The plural, as in paths. */
  readonly resource: string
  readonly kind: string
  readonly namespaced: boolean
  /** Whether `status` is written separately. */
  readonly hasStatus: boolean
}

export interface ObjectKey {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** Selects objects of a resource. With no fields set: all of them. */
export interface Selection {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

/** Limits of a list. If a server sends more, the whole list is refused. */
export interface ListLimits {
  /** Limit for all pages together, as received. */
  readonly bytes: number
  readonly objects: number
  readonly pages: number
}

export interface ListSelection extends Selection {
  /** Absent: as much as a large cluster has of one kind. A caller that expects less sets lower limits. */
  readonly atMost?: Partial<ListLimits>
}

/** An object that cannot be read: too large, nested too deeply, or with a number that would be rounded. */
export interface UnreadableObject {
  /** Empty if unknown. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** For example `is nested more than 1000 levels deep`. */
  readonly problem: string
}

/**
 * Asks the server at most once in a while. If it cannot answer now, an error is thrown instead of reporting absence.
 */
export interface ServedResources {
  /** The preferred version of a resource; undefined if the server does not serve it. */
  find(group: string, resource: string, signal?: AbortSignal): Promise<ResourceType | undefined>
  /** All versions of a resource, the preferred one first. */
  findVersions(group: string, resource: string, signal?: AbortSignal): Promise<readonly ResourceType[]>
  findKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceType | undefined>
  /** The preferred version of a kind. */
  findKindOfGroup(group: string, kind: string, signal?: AbortSignal): Promise<ResourceType | undefined>
  /** All resources with this plural, in any group. */
  findPlural(resource: string, signal?: AbortSignal): Promise<readonly ResourceType[]>
  /** Reads everything again at the next question, because definitions have changed, unless the last answer is newer. */
  forget(olderThanMs?: number): void
}

export interface DeleteRequestOptions {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  /** The grace period. Absent: the object's own. */
  readonly graceSeconds?: number
}

export interface WriteOptions {
  /** How unknown fields are handled. Absent: the server drops them. */
  readonly unknownFields?: 'refused'
  /** Nothing is stored, but the answer is the same. */
  readonly isDryRun?: boolean
}

export type PatchType = 'merge' | 'json' | 'strategic'

/**
 * Any Kubernetes API. Refusals of the server are thrown as ApiError, failures to reach it as ConnectionError. Requests
 * that failed before they can have had an effect, and refusals that ask to retry (429, 503 with Retry-After), are
 * retried within limits.
 */
export interface KubeClient {
  readonly origin: string
  readonly served: ServedResources
  get(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<KubeObject>
  /** All pages. Fails if one object cannot be read. */
  list(type: ResourceType, selection?: ListSelection, signal?: AbortSignal): Promise<ObjectList>
  create(type: ResourceType, object: KubeObject, signal?: AbortSignal, options?: WriteOptions): Promise<KubeObject>
  /** Posts to a subresource of an object, such as `binding` of a Pod. The answer is of another kind than the object. */
  createUnder(
    type: ResourceType,
    key: ObjectKey,
    request: { readonly subresource: string; readonly body: KubeObject },
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>
  /** With the resourceVersion of the object, if any. */
  update(type: ResourceType, object: KubeObject, signal?: AbortSignal, options?: WriteOptions): Promise<KubeObject>
  updateStatus(type: ResourceType, object: KubeObject, signal?: AbortSignal): Promise<KubeObject>
  patch(
    type: ResourceType,
    key: ObjectKey,
    patch: { readonly type: PatchType; readonly body: unknown; readonly subresource?: string },
    signal?: AbortSignal,
  ): Promise<KubeObject>
  apply(
    type: ResourceType,
    object: KubeObject,
    options: { readonly fieldManager: string; readonly force?: boolean },
    signal?: AbortSignal,
  ): Promise<KubeObject>
  delete(type: ResourceType, key: ObjectKey, options?: DeleteRequestOptions, signal?: AbortSignal): Promise<void>
  /** Starts at once. One per resource and selection is enough for any number of readers. */
  informer(type: ResourceType, options?: InformerOptions): Informer
  /** Ends informers and connections. */
  close(): Promise<void>
}

export interface ObjectList {
  readonly items: readonly KubeObject[]
  readonly resourceVersion: string
}

export interface InformerOptions extends ListSelection {
  /** By name of the index: the values under which an object is found. */
  readonly indexes?: Readonly<Record<string, (object: KubeObject) => readonly string[]>>
  /** Reduces what is kept in memory to what readers need. */
  readonly keep?: (object: KubeObject) => KubeObject
  /**
   * Called for objects that cannot be read, each time the server sends one. They are left out, or keep their earlier
   * state.
   */
  readonly onUnreadable?: (unreadable: UnreadableObject) => void
}

export interface ObjectChange {
  readonly before: KubeObject | undefined
  readonly after: KubeObject | undefined
}

/** A local copy of a resource that follows the server: list, then watch, resumed after interruptions. */
export interface Informer {
  /** Resolves when the first list is complete; rejects only if the informer is stopped before. */
  whenSynced(): Promise<void>
  readonly isSynced: boolean
  get(key: ObjectKey): KubeObject | undefined
  all(): Iterable<KubeObject>
  readonly size: number
  indexed(index: string, value: string): readonly KubeObject[]
  /** Whether any object has the value, at constant cost. */
  hasIndexed(index: string, value: string): boolean
  /**
   * Also called for existing objects. A list after lost history is reported as the resulting changes. Returns a
   * function that ends it.
   */
  onChange(listener: (change: ObjectChange) => void): () => void
  /** Learns the answer to a write before the watch reports it. Older states that arrive later are ignored. */
  learn(object: KubeObject): void
  /** The same for an object that was deleted. */
  learnGone(object: KubeObject): void
  /** Why it cannot follow now, for health reports; undefined while it does. */
  readonly trouble: string | undefined
  stop(): void
}
