import type { UserInfo } from '../api/access.ts'
import type { Kind } from '../api/kind.ts'
import type { JsonObject, KubeObject } from '../api/object.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { ControllerMetrics } from '../reconcile/controller-metrics.ts'
import type { Store } from '../storage/contract.ts'
import type { Cache, ReportTrouble } from './cache.ts'
import type { AskedCollection, DeletionPolicy, Visibility, WriteRequest } from './contract.ts'
import type { ObjectId, StoredDocument } from './document.ts'
import type { Feed } from './feed.ts'
import type { Reservation } from './quota/ledger.ts'
import type { SnapshotKeeper } from './snapshots.ts'
import type { SharedBeginnings } from './watch/beginnings.ts'
import type { WatchHub } from './watch/hub.ts'

/** What every verb of every kind works with. */
export interface Engine {
  readonly store: Store
  readonly feed: Feed
  readonly clock: Clock
  readonly random: Random
  /** Of the loops that keep what is stored in order. */
  readonly metrics: ControllerMetrics
  /** What watchers are told first. */
  readonly beginnings: SharedBeginnings
  /** Told what caches go on without. */
  readonly report?: ReportTrouble
  /** The verbs' view of other kinds, by group and kind name, for owners and namespaces. */
  find(group: string, kind: string): ResourceContext | undefined
}

/** One kind as its verbs see it. */
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
 * validation and before the write; what they throw refuses the request.
 */
export interface Hooks {
  /** What the cluster adds to an object before its kind prepares and validates it. `old` is absent for a new one. */
  readonly mutate?: (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => Promise<KubeObject>
  /** What the cluster refuses although the object is valid. */
  readonly inspect?: (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => Promise<void>
  readonly admitCreate?: (object: KubeObject, request: WriteRequest) => Admitted | Promise<Admitted>
  /** `old` is what stands there now, with what is sealed in it. */
  readonly admitUpdate?: (
    object: KubeObject,
    old: { readonly object: KubeObject; readonly sealed: JsonObject | undefined },
    request: WriteRequest,
  ) => Admitted | Promise<Admitted>
  /** Which objects exist for a user; undefined means all of them. What is not visible is answered as not found. */
  readonly visibility?: (user: UserInfo) => Visibility | undefined | Promise<Visibility | undefined>
  /** Which objects a list or a watch shows to a user who may not read all of them; undefined means all. */
  readonly listVisibility?: (user: UserInfo, asked: AskedCollection) => Visibility | undefined
  /** An object as it is read, where more is known of it than is stored. Answers to writes show what is stored. */
  readonly present?: (document: StoredDocument) => StoredDocument
  /** Takes room for what is about to be written, or throws what refuses it. */
  readonly reserve?: ReserveRoom
  readonly admitDelete?: (object: KubeObject, request: WriteRequest, options: DeletionPolicy) => void | Promise<void>
  /** The last to refuse what is about to be written, as it will be. */
  readonly review?: (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => Promise<void>
  /** The object is gone, and the client is answered next. Never throws: the deletion has taken place. */
  readonly removed?: (object: KubeObject) => Promise<void>
  /** The admitted object was not written after all; `old` is what stays in the case of an update. */
  readonly abandon?: (object: KubeObject, old?: KubeObject) => void | Promise<void>
}

/** At once where there is room. */
export type ReserveRoom = (write: PlannedWrite, request: WriteRequest) => Reservation | Promise<Reservation>

/** An admitted object on its way to the store. */
export interface PlannedWrite {
  readonly id: ObjectId
  readonly object: KubeObject
  readonly sealed: Buffer | undefined
  /** As it will be stored. */
  readonly bytes: number
  /** What stands there now; absent for a new object. */
  readonly old?: {
    readonly object: KubeObject
    readonly sealed: Buffer | undefined
    readonly bytes: number
  }
}

export interface Admitted {
  readonly object: KubeObject
  /** Kept with the object and never shown. Absent: what was sealed before stays. */
  readonly sealed?: JsonObject
  /** How the answer to this one request shows the object, and no other. */
  readonly reveal?: (object: KubeObject) => KubeObject
}
