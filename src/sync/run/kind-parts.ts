import type { KubeObject } from '../../api/object.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient, ObjectChange, ResourceType } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Companions } from '../companions/contract.ts'
import type { Reference, Trouble } from '../contract.ts'
import type { KindRules } from '../plan/rules.ts'
import type { Refusal } from '../policy/contract.ts'
import type { AwaitedCopy } from './holds/awaited-copy.ts'
import type { WriteVerb } from './writes/commit.ts'

/** One cluster and how it serves a kind. */
export interface ServedKind {
  readonly client: KubeClient
  readonly type: ResourceType
}

/** The settings that may change while a kind is synced. */
export interface KindConfig {
  readonly rules: KindRules
  /** Whether all of its objects are synced, not only referenced ones. */
  readonly carriesAll: boolean
}

export interface KindParts {
  readonly virtual: ServedKind
  readonly host: ServedKind
  /** The namespace of all copies; undefined: any namespace. */
  readonly hostNamespace: string | undefined
  readonly references: References
  /** Companions of the kind's copies. */
  readonly companions?: Companions
  readonly others: OtherKinds
  /** Called for each change of a virtual object. */
  readonly virtualChanged?: (change: ObjectChange) => void
  /** Nodes as the virtual cluster sees them. */
  readonly nodes?: SeenNodes
  readonly observer: KindObserver
  /** Whether this process still leads. */
  readonly mayWrite: () => boolean
  readonly clock: Clock
  readonly elapsed: Clock
  readonly log: Log
}

/** Effects on nodes of the objects that are on them. */
export interface SeenNodes {
  /** When it resolves, the node is shown if possible. */
  show(node: string): Promise<void>
  /** An object was assigned to the node, or has left it. */
  useChanged(node: string): void
  /** Whether it is known which nodes the tenant has cordoned. */
  readonly areKnown: boolean
}

/** How the kinds share their references. */
export interface References {
  /** `references` is undefined if they are not known. */
  found(owner: ObjectName, references: readonly Reference[] | undefined): void
  isReferenced(target: ObjectName): boolean
  /** Whether every reference is known, so that unreferenced objects may lose their copies. */
  isComplete(): boolean
  /** Requeues the owner when the target changes, unless the returned function is called. */
  awaits(owner: ObjectName, target: Reference): () => void
  /** An object was checked and nothing is left to do, or it has lost its copy. */
  settled(target: ObjectName): void
}

/** What a kind needs from other synced kinds. */
export interface OtherKinds {
  /** Asks the server itself if the Service is not known. Undefined: it does not exist, or its kind is not synced. */
  findService(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined>
  /** Resolves if objects of a virtual namespace may be put into the namespace of the host that it is mapped to. */
  requirePlace(namespace: string, signal: AbortSignal): Promise<void>
  /** Whether objects of the kind are not synced. */
  isNotSynced(reference: Reference): boolean
  /** Whether an object has a copy on the host that belongs to this tenant. */
  hasCopy(reference: Reference): boolean
  /** Whether it is known to have no copy. */
  lacksCopy(reference: Reference): boolean
  /** The Pods whose copies hold an object of the host; undefined while that is not known. */
  holdersOf(place: ObjectName): readonly Reference[] | undefined
  /** Why an object with this reference waits for its copy. Undefined: it does not. */
  whyAwaited(reference: Reference, signal: AbortSignal): Promise<AwaitedCopy | undefined>
}

/** Receives what happens in the sync, for Events and metrics. */
export interface KindObserver {
  trouble(object: KubeObject | undefined, trouble: Trouble): void
  /** The policy keeps parts of an object from the host; called once for each change of these parts. */
  refused(object: KubeObject | undefined, notice: Trouble, refusals: readonly Refusal[]): void
  wrote(side: 'virtual' | 'host', verb: WriteVerb): void
  handled(seconds: number): void
}
