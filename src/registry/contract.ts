import type { Decision, ResourceAttributes, UserInfo } from '../api/access.ts'
import type { ParsedBody } from '../api/decode/contract.ts'
import type { Status } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import type { Pacing } from '../base/pace.ts'
import type { AlikeWrites } from './alike-writes.ts'

/** The kinds served, and the verbs on each. What the HTTP layer needs to know of the engine. */
export interface Registry {
  /** In the order of registration. Kinds may come and go at run time. */
  resources(): readonly Resource[]
  resource(group: string, version: string, plural: string): Resource | undefined
  /** Called after the set of kinds has changed. */
  onChange(listener: () => void): () => void
}

/** One kind and its verbs. Every method throws ApiError for a refusal. */
export interface Resource {
  readonly kind: Kind
  create(target: Target, body: ParsedBody, request: WriteRequest): Promise<WriteAnswer>
  /** At once when nothing has to be waited for: it is what is asked most. */
  get(target: NamedTarget, options: GetOptions): Document | Promise<Document>
  list(target: Target, options: ListRequestOptions): Promise<ListAnswer>
  /** Starts delivering at once; throws only before the first delivery. Ends when the signal aborts. */
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
 * `object` may be parsed on demand: ask once, keep it.
 */
export interface Document {
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
  readonly labels: Readonly<Record<string, string>> | undefined
  /** The whole object, with apiVersion and kind. */
  readonly json: Buffer
  /** The same with a newline, in bytes of their own. Absent: it takes a copy of `json`. */
  jsonLine?(): Buffer
  /** As an item of a list: builtin kinds carry no apiVersion and kind there. */
  readonly itemJson: Buffer
  readonly object: KubeObject
}

/** Which objects of a kind exist for a user. */
export interface Visibility {
  /** Equal for users who see the same. */
  readonly id: string
  sees(document: Document): boolean
  /** For kinds without namespaces: names of all current objects that may be seen. Absent: each has to be asked about. */
  readonly currentNames?: () => readonly string[]
  /** Set where it depends on more than the objects themselves. */
  readonly changes?: VisibilityChanges
}

/** What a user sees may become more or less although no object of the kind has changed. */
export interface VisibilityChanges {
  /** The latest revision at which that happened: of the time before, no list and no watch is told. */
  latest(): number
  /** Calls the listener when it happens. Returns how to stop that. */
  listen(listener: () => void): () => void
}

/** A list or a watch as it was authorized. */
export interface AskedCollection {
  readonly verb: 'list' | 'watch'
  /** Empty for all. */
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
  /** Set on what the server itself writes: it counts, and no quota refuses it. */
  readonly isInternal?: true
  /** Set on a write that carries out an action which was admitted itself, by webhooks too, such as an eviction. */
  readonly isAdmitted?: true
  /** Set where many objects of the same content are made one after the other. */
  readonly alike?: AlikeWrites
  /** As the caller has written them; absent for what no caller has sent. */
  readonly givenOptions?: { readonly fieldManager?: string; readonly fieldValidation?: string }
  /** A text for the caller that is no refusal: it becomes a Warning header. */
  readonly warn: (text: string) => void
  /** Set where no caller is told: what a kind warns of is not looked for. */
  readonly ignoresWarnings?: true
  /** Puts something on record about the request. Absent: there is no record of it. */
  readonly annotate?: AnnotateAudit | undefined
  /** Whether the caller may do something else too, for rules that depend on it. */
  readonly authorize: (attributes: ResourceAttributes) => Decision | Promise<Decision>
}

/** The first value of a key stays. */
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
  /** Only watches may ask for it; a list that does is refused. */
  readonly sendInitialEvents?: boolean | undefined
  readonly signal: AbortSignal
}

export interface ListAnswer {
  readonly documents: readonly Document[]
  /** Set when the answer is for this user at this moment alone: others may be shown other objects, or more of them. */
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
  /** Aborts a little before the watch times out, so that a last bookmark can be sent. Never for one that is so short itself. */
  readonly endingSoon?: AbortSignal
  /** When the beginning of the watch is worked out. Absent: at a pace of its own. */
  readonly pacing?: Pacing
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** One change as seen by a watcher. The same object reaches every watcher that sees it in the same way. */
export type WatchEvent =
  | {
      readonly type: WatchEventType
      readonly document: Document
      /** Its finished line of JSON, in one or several parts. */
      readonly parts: readonly Buffer[]
      /** The parts were made for one watcher alone. Otherwise all that see the event in the same way share them. */
      readonly isUnshared?: boolean
    }
  /** `initialEventsEnd` marks the end of the synthetic events of sendInitialEvents. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  /** The last event: the history is gone, or the store is. */
  | { readonly type: 'ERROR'; readonly status: Status }

export interface WatchSink {
  /**
   * Takes events in order. Returns false when the receiver can take no more now; the registry then buffers, and ends the
   * watch if too much piles up.
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
