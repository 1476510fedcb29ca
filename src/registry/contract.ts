import type { Decision, ResourceAttributes, UserInfo } from '../api/access.ts'
import type { ParsedBody } from '../api/decode/contract.ts'
import type { Status } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import type { Pacing } from '../base/pace.ts'
import type { AlikeWrites } from './alike-writes.ts'

/** The served kinds and their verbs: what the HTTP layer needs to know about the engine. */
export interface Registry {
  /** In order of registration. Kinds may be added and removed at run time. */
  resources(): readonly Resource[]
  resource(group: string, version: string, plural: string): Resource | undefined
  /** Called after the set of kinds has changed. */
  onChange(listener: () => void): () => void
}

/** One kind and its verbs. Every method throws ApiError to refuse a request. */
export interface Resource {
  readonly kind: Kind
  create(target: Target, body: ParsedBody, request: WriteRequest): Promise<WriteAnswer>
  /** Synchronous if there is nothing to wait for: this is the most frequent request. */
  get(target: NamedTarget, options: GetOptions): Document | Promise<Document>
  list(target: Target, options: ListRequestOptions): Promise<ListAnswer>
  /** Starts delivering immediately; throws only before the first delivery. Ends when the signal aborts. */
  watch(target: Target, options: WatchOptions, sink: WatchSink): Promise<void>
  update(target: NamedTarget, body: ParsedBody, request: WriteRequest): Promise<WriteAnswer>
  patch(target: NamedTarget, patch: PatchRequest, request: WriteRequest): Promise<WriteAnswer>
  delete(target: NamedTarget, options: DeletionPolicy, request: WriteRequest): Promise<DeleteAnswer>
  deleteCollection(
    target: Target,
    selection: ListRequestOptions,
    options: DeletionPolicy,
    request: WriteRequest,
  ): Promise<ListAnswer>
}

/**
 * One object in the forms in which it leaves the server. Buffers are shared between requests and never written to.
 * `object` may be parsed on demand: read it once and keep it.
 */
export interface Document {
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
  readonly labels: Readonly<Record<string, string>> | undefined
  /** The whole object, including apiVersion and kind. */
  readonly json: Buffer
  /** `json` with a newline, in a separate buffer. Absent: `json` must be copied. */
  jsonLine?(): Buffer
  /** The object as an item of a list: items of builtin kinds have no apiVersion and kind. */
  readonly itemJson: Buffer
  readonly object: KubeObject
}

/** Which objects of a kind exist for a user. */
export interface Visibility {
  /** Equal for users who see the same objects. */
  readonly id: string
  sees(document: Document): boolean
  /** For cluster-scoped kinds: the names of all current visible objects. Absent: each object must be checked. */
  readonly currentNames?: () => readonly string[]
  /** Present if visibility depends on more than the objects themselves. */
  readonly changes?: VisibilityChanges
}

/** Reports that a user sees more or fewer objects although no object of the kind has changed. */
export interface VisibilityChanges {
  /** The latest revision at which that happened. Lists and watches cannot start from an earlier one. */
  latest(): number
  /** Calls the listener when it happens. Returns a function that stops this. */
  listen(listener: () => void): () => void
}

/** A list or a watch, as authorized. */
export interface AskedCollection {
  readonly verb: 'list' | 'watch'
  /** Empty for all namespaces. */
  readonly namespace: string
  /** The one object that a field selector names; empty for all. */
  readonly name: string
}

export interface Target {
  /** Empty for cluster-scoped kinds and for all namespaces. */
  readonly namespace: string
}

export interface NamedTarget extends Target {
  readonly name: string
}

export interface WriteRequest {
  readonly user: UserInfo
  /** Empty for the object itself, otherwise `status` and the like. */
  readonly subresource: string
  readonly fieldManager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** Set on writes by the server itself: they count toward quotas, but no quota refuses them. */
  readonly isInternal?: true
  /** Set on a write that carries out an action that was already admitted, including by webhooks, such as an eviction. */
  readonly isAdmitted?: true
  /** Set when many objects with the same content are created one after the other. */
  readonly alike?: AlikeWrites
  /** The options as the caller wrote them; absent for writes without a caller. */
  readonly givenOptions?: { readonly fieldManager?: string; readonly fieldValidation?: string }
  /** Sends the caller a message without refusing the request: it becomes a Warning header. */
  readonly warn: (text: string) => void
  /** Set if no caller receives warnings, so that kinds need not compute them. */
  readonly ignoresWarnings?: true
  /** Adds an annotation to the audit event of the request. Absent: the request is not audited. */
  readonly annotate?: AnnotateAudit | undefined
  /** Whether the caller may also do something else, for rules that depend on it. */
  readonly authorize: (attributes: ResourceAttributes) => Decision | Promise<Decision>
}

/** The first value of a key is kept. */
export type AnnotateAudit = (key: string, value: string) => void

export interface WriteAnswer {
  readonly document: Document
  readonly created: boolean
}

export interface GetOptions {
  /** Some kinds show only part of their objects to some users. */
  readonly user: UserInfo
  /** As in the query; empty means most recent. */
  readonly resourceVersion: string
  readonly signal: AbortSignal
}

export interface ListRequestOptions {
  readonly user: UserInfo
  readonly labelSelector: string
  readonly fieldSelector: string
  readonly limit: number
  readonly continue: string
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  /** Only for watches; a list with this option is refused. */
  readonly sendInitialEvents?: boolean | undefined
  readonly signal: AbortSignal
}

export interface ListAnswer {
  readonly documents: readonly Document[]
  /** Set if the response is valid only for this user at this time: others may see other or more objects. */
  readonly isPersonal?: boolean
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface WatchOptions {
  readonly user: UserInfo
  readonly labelSelector: string
  readonly fieldSelector: string
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly allowWatchBookmarks: boolean
  readonly sendInitialEvents: boolean | undefined
  readonly signal: AbortSignal
  /**
   * Aborts shortly before the watch times out, so that a last bookmark can be sent. Never aborts for very short
   * watches.
   */
  readonly endingSoon?: AbortSignal
  /** Paces the computation of the watch's initial events. Absent: a separate pace. */
  readonly pacing?: Pacing
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** One change as seen by a watcher. Watchers that see it in the same way share the same event object. */
export type WatchEvent =
  | {
      readonly type: WatchEventType
      readonly document: Document
      /** The object before a change, for watches that show it in another version. */
      readonly previous?: Document | undefined
      /** The finished line of JSON, in one or more parts. */
      readonly parts: readonly Buffer[]
      /**
       * Set if the parts were made for one watcher only. Otherwise watchers that see the event in the same way share
       * them.
       */
      readonly isUnshared?: boolean
    }
  /** `initialEventsEnd` marks the end of the synthetic events of sendInitialEvents. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  /** The last event: the history was compacted, or the store is unavailable. */
  | { readonly type: 'ERROR'; readonly status: Status }

export interface WatchSink {
  /**
   * Takes events in order. Returns false when the receiver cannot take more now; the registry then buffers, and ends
   * the watch if the buffer grows too large.
   */
  send(events: readonly WatchEvent[]): boolean
  /** Resolves when the receiver can take more. */
  drained(): Promise<void>
}

export type PatchRequest =
  | { readonly type: 'json' | 'merge' | 'strategic'; readonly body: ParsedBody }
  | { readonly type: 'apply'; readonly body: ParsedBody; readonly force: boolean }

export interface DeletionPolicy {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  readonly orphanDependents?: boolean
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly dryRun: boolean
}

export type DeleteAnswer =
  | { readonly code: 200 | 202; readonly document: Document }
  | { readonly code: 200; readonly status: Status }
