import type { KubeObject } from '../api/object.ts'

/** A resource as a server serves it. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  /** The plural, as in paths. */
  readonly resource: string
  readonly kind: string
  readonly namespaced: boolean
  /** Whether `status` is written by itself. */
  readonly hasStatus: boolean
}

export interface ObjectKey {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** Which objects of a resource. Everything absent: all of them. */
export interface Selection {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

/** What is read of a list at most. A server that sends more is not believed at all. */
export interface ListLimits {
  /** Of all pages together, as they come over the line. */
  readonly bytes: number
  readonly objects: number
  readonly pages: number
}

export interface ListSelection extends Selection {
  /** Absent: as much as a large cluster has of one kind. A caller that expects less sets lower limits. */
  readonly atMost?: Partial<ListLimits>
}

/** An object that a server sent and that is not read: too large, nested too deeply, or with a number that would be rounded. */
export interface UnreadableObject {
  /** Empty where it cannot be seen. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** For example `is nested more than 1000 levels deep`. */
  readonly problem: string
}

/** Asks the server at most once in a while. What it cannot tell at the moment is thrown, and not taken for absent. */
export interface ServedResources {
  /** The preferred version of a resource; nothing if the server does not serve it. */
  find(group: string, resource: string, signal?: AbortSignal): Promise<ResourceType | undefined>
  /** All versions of a resource, the preferred one first. */
  findVersions(group: string, resource: string, signal?: AbortSignal): Promise<readonly ResourceType[]>
  findKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceType | undefined>
  /** All resources called that, whatever their group: for a plural without one. */
  findPlural(resource: string, signal?: AbortSignal): Promise<readonly ResourceType[]>
  /** What was learned is learned again at the next question: definitions have changed. */
  forget(): void
}

export interface DeleteRequestOptions {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  /** How long the object has to end. Absent: as long as it says itself. */
  readonly graceSeconds?: number
}

export interface WriteOptions {
  /** What becomes of fields that the server does not know. Absent: it drops them. */
  readonly unknownFields?: 'refused'
  /** Nothing is kept: the answer is as if it were. */
  readonly isDryRun?: boolean
}

export type PatchType = 'merge' | 'json' | 'strategic'

/**
 * Any Kubernetes API. What the server refuses is thrown as ApiError, what does not get there as ConnectionError. Requests
 * that failed before they can have done anything, and refusals that ask to come back (429, 503 with Retry-After), are
 * tried again within limits.
 */
export interface KubeClient {
  readonly origin: string
  readonly served: ServedResources
  get(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<KubeObject>
  /** All pages. Fails if one object cannot be read. */
  list(type: ResourceType, selection?: ListSelection, signal?: AbortSignal): Promise<ObjectList>
  create(type: ResourceType, object: KubeObject, signal?: AbortSignal, options?: WriteOptions): Promise<KubeObject>
  /** Posts to a subresource of an object, such as `binding` of a Pod. What comes back is of another kind than the object. */
  createUnder(
    type: ResourceType,
    key: ObjectKey,
    request: { readonly subresource: string; readonly body: KubeObject },
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>
  /** With the resourceVersion in the object, if any. */
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
  /** By name of the index: under which values an object is found. */
  readonly indexes?: Readonly<Record<string, (object: KubeObject) => readonly string[]>>
  /** Cuts down what is kept in memory; what a reader never looks at need not stay. */
  readonly keep?: (object: KubeObject) => KubeObject
  /** Told of objects that cannot be read, each time the server sends one. They are left out, or stay as they were. */
  readonly onUnreadable?: (unreadable: UnreadableObject) => void
}

export interface ObjectChange {
  readonly before: KubeObject | undefined
  readonly after: KubeObject | undefined
}

/** A local copy of a resource that follows the server: list, then watch, resumed after interruptions. */
export interface Informer {
  /** Resolves when the first list is complete; rejects only when the informer is stopped first. */
  whenSynced(): Promise<void>
  readonly isSynced: boolean
  get(key: ObjectKey): KubeObject | undefined
  all(): Iterable<KubeObject>
  readonly size: number
  indexed(index: string, value: string): readonly KubeObject[]
  /** Whether there is any, at the same cost however many there are. */
  hasIndexed(index: string, value: string): boolean
  /** Called for what is there already, too. A list after lost history is told as the changes it amounts to. Returns how to end it. */
  onChange(listener: (change: ObjectChange) => void): () => void
  /** What a write was answered with, before the watch tells it. Older states that arrive later are passed over. */
  learn(object: KubeObject): void
  /** The same for an object that a deletion has ended. */
  learnGone(object: KubeObject): void
  /** Why it cannot follow at the moment, for health reports; undefined while it does. */
  readonly trouble: string | undefined
  stop(): void
}
