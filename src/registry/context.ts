import type { UserInfo } from '../api/access.ts'
import type { Kind } from '../api/kind.ts'
import type { JsonObject, KubeObject } from '../api/object.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { ControllerMetrics } from '../reconcile/controller-metrics.ts'
import type { Store } from '../storage/contract.ts'
import type { Cache, ReportTrouble } from './cache.ts'
import type { AskedCollection, DeletionPolicy, Document, Visibility, WriteRequest } from './contract.ts'
import type { ObjectId, StoredDocument } from './document.ts'
import type { Feed } from './feed.ts'
import type { Reservation } from './quota/ledger.ts'
import type { SnapshotKeeper } from './snapshots.ts'
import type { SharedBeginnings } from './watch/beginnings.ts'
import type { WatchHub } from './watch/hub.ts'

/** What every verb of every kind needs. */
export interface Engine {
  readonly store: Store
  readonly feed: Feed
  readonly clock: Clock
  readonly random: Random
  /** Metrics of the control loops. */
  readonly metrics: ControllerMetrics
  /** The initial events of watchers. */
  readonly beginnings: SharedBeginnings
  /** Reports what caches skip. */
  readonly report?: ReportTrouble
  /** Finds other kinds by group and kind name, for owners and namespaces. */
  find(group: string, kind: string): ResourceContext | undefined
}

/** One kind, as its verbs see it. */
export interface ResourceContext {
  readonly kind: Kind
  readonly engine: Engine
  readonly cache: Cache
  readonly hub: WatchHub
  readonly snapshots: SnapshotKeeper
  readonly hooks: Hooks
}

/**
 * Behavior that needs more than the object itself: other objects, the caller's rights, allocations. Hooks run after
 * validation and before the write, except where they say otherwise. If one throws, the request is refused.
 */
export interface Hooks {
  /**
   * Changes that the cluster makes to an object before its kind prepares and validates it. `old` is absent for a new
   * object.
   */
  readonly mutate?: (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => Promise<KubeObject>
  /** Refuses what the caller may not grant. It sees the prepared object, which is not validated yet. */
  readonly permit?: (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => Promise<void>
  /** Refuses objects that are valid but violate a rule of the cluster. */
  readonly inspect?: (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => Promise<void>
  readonly admitCreate?: (object: KubeObject, request: WriteRequest) => Admitted | Promise<Admitted>
  /** `old` is the existing object, with its sealed part. */
  readonly admitUpdate?: (
    object: KubeObject,
    old: { readonly object: KubeObject; readonly sealed: JsonObject | undefined },
    request: WriteRequest,
  ) => Admitted | Promise<Admitted>
  /** Which objects exist for a user; undefined means all. Invisible objects are reported as not found. */
  readonly visibility?: (user: UserInfo) => Visibility | undefined | Promise<Visibility | undefined>
  /** Which objects a list or a watch shows to a user who may not read all of them; undefined means all. */
  readonly listVisibility?: (user: UserInfo, asked: AskedCollection) => Visibility | undefined
  /** Adds derived content to an object when it is read. Responses to writes show the stored object. */
  readonly present?: (document: StoredDocument) => StoredDocument
  /** Reserves room for a write, or throws to refuse it. */
  readonly reserve?: ReserveRoom
  /** Waits until others have completed a written object. The response to the writer shows the result. */
  readonly settle?: (
    context: ResourceContext,
    written: Document,
    request: WriteRequest,
  ) => Promise<Document> | undefined
  readonly admitDelete?: (object: KubeObject, request: WriteRequest, options: DeletionPolicy) => void | Promise<void>
  /** The last check that can refuse a write; it sees the final object. */
  readonly review?: (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => Promise<void>
  /**
   * Called when the object has been deleted, before the client gets the response. Must not throw: the deletion has
   * taken place.
   */
  readonly removed?: (object: KubeObject) => Promise<void>
  /** Called if the admitted object was not written after all; after an update, `old` is the object that remains. */
  readonly abandon?: (object: KubeObject, old?: KubeObject) => void | Promise<void>
}

/** Synchronous if there is room. */
export type ReserveRoom = (write: PlannedWrite, request: WriteRequest) => Reservation | Promise<Reservation>

/** An admitted object on its way to the store. */
export interface PlannedWrite {
  readonly id: ObjectId
  readonly object: KubeObject
  readonly sealed: Buffer | undefined
  /** The stored size. */
  readonly bytes: number
  /** The existing object; absent for a new one. */
  readonly old?: {
    readonly object: KubeObject
    readonly sealed: Buffer | undefined
    readonly bytes: number
  }
}

export interface Admitted {
  readonly object: KubeObject
  /** Stored with the object and never shown. Absent: the previous sealed part stays. */
  readonly sealed?: JsonObject
  /** How the response to this one request shows the object. */
  readonly reveal?: (object: KubeObject) => KubeObject
}
