import type { KubeObject } from '../../api/object.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient, ObjectChange, ResourceType } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Companions } from '../companions/contract.ts'
import type { Reference, Trouble } from '../contract.ts'
import type { KindRules } from '../plan/rules.ts'
import type { Refusal } from '../policy/contract.ts'
import type { AwaitedCopy } from './awaited-copy.ts'
import type { WriteVerb } from './commit.ts'

/** One cluster and how it serves a kind. */
export interface ServedKind {
  readonly client: KubeClient
  readonly type: ResourceType
}

/** What may change while a kind is being synced. */
export interface KindConfig {
  readonly rules: KindRules
  /** All of its objects travel, and not only those that something refers to. */
  readonly carriesAll: boolean
}

export interface KindParts {
  readonly virtual: ServedKind
  readonly host: ServedKind
  /** Where copies may be; nothing: in any namespace. */
  readonly hostNamespace: string | undefined
  readonly references: References
  /** What copies of the kind need besides other copies. */
  readonly companions?: Companions
  readonly others: OtherKinds
  /** Told of each change of a virtual object. */
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

/** What becomes of nodes because of objects that are on them. */
export interface SeenNodes {
  /** When it resolves the node is there, if it can be. */
  show(node: string): Promise<void>
  /** An object has come to it, or has left it. */
  useChanged(node: string): void
}

/** How the kinds know of each other's references. */
export interface References {
  /** Nothing if it is not known what the object refers to. */
  found(owner: ObjectName, references: readonly Reference[] | undefined): void
  isReferenced(target: ObjectName): boolean
  /** Whether every reference is known, so that what is not referenced may lose its copy. */
  isComplete(): boolean
  /** The owner is looked at again when there is news of what it waits for, unless that is called off. */
  awaits(owner: ObjectName, target: Reference): () => void
  /** An object has been looked at, and nothing is left to do, or it has lost its copy. */
  settled(target: ObjectName): void
}

/** What a kind asks of those that are synced beside it. */
export interface OtherKinds {
  /** The server itself is asked where none is known. Nothing: there is none, or its kind is not synced. */
  findService(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined>
  /** Resolves if objects of a virtual namespace may be put into the namespace of the host that it is mapped to. */
  requirePlace(namespace: string, signal: AbortSignal): Promise<void>
  /** Whether objects of the kind stay in the virtual cluster. */
  isNotSynced(reference: Reference): boolean
  /** Whether an object has a copy on the host that is this tenant's. */
  hasCopy(reference: Reference): boolean
  /** Whether it is known to have none. */
  lacksCopy(reference: Reference): boolean
  /** The Pods whose copies hold an object of the host; nothing as long as that is not known. */
  holdersOf(place: ObjectName): readonly Reference[] | undefined
  /** Why what refers to an object waits for its copy. Nothing: it does not. */
  whyAwaited(reference: Reference, signal: AbortSignal): Promise<AwaitedCopy | undefined>
}

/** Receives what happens in the sync, for Events and metrics. */
export interface KindObserver {
  trouble(object: KubeObject | undefined, trouble: Trouble): void
  /** The policy keeps something of an object from the host; told once for each change of what that is. */
  refused(object: KubeObject | undefined, notice: Trouble, refusals: readonly Refusal[]): void
  wrote(side: 'virtual' | 'host', verb: WriteVerb): void
  handled(seconds: number): void
}
