import type { KubeObject } from '../api/object.ts'
import type { ObjectName, ReferencedKind } from '../patches/contract.ts'
import type { NamespaceMapping } from './names/namespace-mapping.ts'

export type ObjectFields = Readonly<Record<string, unknown>>

export type TextMap = Readonly<Record<string, string>>

/** An object that another one refers to, by its name in the virtual cluster. */
export interface Reference extends ReferencedKind, ObjectName {
  /** The uid of the controller that the object must have. An object of that name with another controller does not count. */
  readonly controllerUid?: string
}

/** The name mapping that a kind's plans use. */
export interface HostNames {
  readonly tenant: string
  /** The namespace of the host that the tenant itself runs in. */
  readonly tenantNamespace: string
  readonly multiNamespace: boolean
  /** An unmapped namespace keeps its name. */
  of(namespace: string, name: string): ObjectName
  /** Undefined if the namespace is not mapped. */
  namespaceOf(namespace: string): string | undefined
  /** The same, with the kind of mapping entry. */
  mappingOf(namespace: string): NamespaceMapping | undefined
}

export interface KindSetting {
  readonly names: HostNames
  /**
   * Whether the virtual cluster adopts the addresses and ports that the host assigns, as the embedded control plane
   * does.
   */
  readonly virtualFollowsHostAddresses: boolean
  /** How Pods resolve names. Undefined: like the nodes of the host. */
  readonly podNames?: () => PodNames | undefined
  /** Whether Pods are synced, so that selectors work on the host. */
  readonly podsRunOnHost: boolean
  /** Nodes that the tenant has cordoned. */
  readonly cordonedNodes?: () => readonly string[]
}

/** The DNS server of the tenant, and the domain of its Services. */
export interface PodNames {
  readonly server: string
  readonly clusterDomain: string
}

export interface ServedResource {
  readonly group: string
  /** The plural. */
  readonly resource: string
}

/**
 * What a kind adds to the sync of labels and annotations, which is the same for all kinds. All functions are pure, and
 * called only with objects of the kind.
 */
export interface SyncKind<T extends KubeObject = KubeObject> {
  /** The key in tenant.yaml. */
  readonly id: string
  /** Undefined if tenant.yaml does not name it, so that it must be discovered. */
  readonly group: string | undefined
  /** The plural. */
  readonly resource: string
  /** Why an object is not synced; undefined if it is. */
  readonly leavesOut?: (virtual: T, setting: KindSetting) => string | undefined
  /** The name of the copy, for kinds with their own naming; undefined if there is no place for it. */
  readonly hostName?: (virtual: ObjectName, setting: KindSetting) => ObjectName | undefined
  /** The fields for the host besides labels and annotations, with names translated. */
  readonly toHost: (virtual: T, setting: KindSetting) => ObjectFields
  /** The fields of an import besides labels and annotations. Absent: everything except the status. */
  readonly imported?: (source: T) => ObjectFields
  /** Labels that the copy gets because of its kind. They are not synced back. */
  readonly hostLabels?: (virtual: T, setting: KindSetting) => TextMap
  /** The same for annotations. Their keys are markers. */
  readonly hostAnnotations?: (virtual: T, setting: KindSetting) => TextMap
  /** Labels and annotations that have a meaning only on their own side. */
  readonly staysOnItsSide?: (key: string) => boolean
  /** Labels among these that a copy has only through `hostLabels`. */
  readonly ownedLabels?: readonly string[]
  /** Fields that the host keeps exactly as written. Absent: all fields, and the host may add to them. */
  readonly closedFields?: readonly string[]
  /** The fields as a server with its defaults would return them. */
  readonly withDefaults?: (fields: ObjectFields) => ObjectFields
  /** The fields to write over a copy, including values that the host assigned. */
  readonly overCopy?: (fields: ObjectFields, copy: T) => ObjectFields
  /**
   * The part that an update can change. The copy is in step once it was written, whatever the host shows. Absent: all
   * fields.
   */
  readonly changeable?: (fields: ObjectFields) => ObjectFields
  /** Set if the copy takes time to end, and the virtual object exists until it has. */
  readonly endsWithCopy?: Ending<T>
  /**
   * Whether others on the host may hold the copy after its deletion. The virtual object then exists until the copy is
   * deleted.
   */
  readonly outlastsCopy?: boolean
  /** The status, as a merge patch, of an object whose copy the host refused. Absent: only an Event reports it. */
  readonly whenRefused?: (virtual: T, trouble: Trouble, now: string) => ObjectFields | undefined
  /** The same for parts that a copy lacks because the policy or the host refuses them, while the rest is in step. */
  readonly whenPartsRefused?: (pair: BothSides<T>, trouble: Trouble, setting: KindSetting) => ObjectFields | undefined
  /** Whether other clients also write parts of the status, so that it is written only over the state that was read. */
  readonly sharesStatus?: boolean
  /**
   * For a copy that could access what the host adds to it: returns a check of the copy as the host has created it or
   * would create it, against the wanted fields, which are its own if absent. A new copy is tried before it is created,
   * and one that exists is deleted if the check fails. Absent or undefined: nothing is checked.
   */
  readonly onTrial?: (copy: T, wanted?: ObjectFields) => ((made: T) => Trouble | undefined) | undefined
  /** Why a copy cannot be updated to the wanted state and must be recreated. */
  readonly whyAnew?: (wanted: ObjectFields, copy: T) => string | undefined
  /** Whether values of its objects are kept out of messages. */
  readonly hidesValues?: boolean
  readonly references?: (virtual: T) => readonly Reference[]
  /** The kinds of companions. They are deleted when the kind is disabled. */
  readonly companions?: readonly ServedResource[]
  /** Names of companions: objects of the host that are not copies, exist only for this copy, and are named in it. */
  readonly companionNames?: (virtual: T, setting: KindSetting) => readonly string[]
  /** Objects that an object affects without referring to them. If names are kept, these must belong to the tenant. */
  readonly takesHoldOf?: (virtual: T, copy: T | undefined) => readonly Reference[]
  /** Objects that an object leads others to. If names are kept, these must not belong to another tenant. */
  readonly leadsTo?: (virtual: T) => readonly Reference[]
  /**
   * Whether Pods get the content of such an object by its name. If names are kept, its copy stays while a Pod names it,
   * because another tenant could take the name.
   */
  readonly staysWhileNamed?: boolean
  /**
   * The same for an object that copies hold by its name once they are scheduled. Its copy is kept until such a copy has
   * ended, and is never overwritten.
   */
  readonly staysWhileHeld?: boolean
  /** The objects that a copy holds by their names on the host, or will hold once it is scheduled. */
  readonly holds?: (copy: T) => readonly ObjectName[]
  /**
   * The objects that a copy without a node will hold. If names are kept, the copy is deleted with them, because another
   * tenant could take the name.
   */
  readonly holdsWhenPlaced?: (virtual: T, copy: T) => readonly Reference[]
  /** Values that no server allows to change. A server that shows other values is not trusted. */
  readonly fixed?: (virtual: T) => unknown
  /** Whether the copies of referenced objects must exist before its own is created. */
  readonly needsReferences?: boolean
  /** The Service whose Pods it lists, if any. If the Service's copy itself selects Pods, the host lists them. */
  readonly listsPodsOf?: (virtual: T) => readonly ObjectName[]
  /** The kinds that `references` can return. */
  readonly refersTo?: readonly ServedResource[]
  /** The node that an object or its copy is on; empty: none. */
  readonly nodeOf?: (object: T) => string
  /** The fields of a new copy, without those that can only be written to an existing one. */
  readonly atCreation?: (fields: ObjectFields) => ObjectFields
  /** The part that changes only under a subresource: the copy is in step once it was written. */
  readonly resources?: (fields: ObjectFields) => unknown
  /**
   * Parts that the copy lacks and that are written separately, under subresources, each over the state that was read.
   * The first one that the host accepts is written, so that a refused part does not block the others.
   */
  readonly partsOfCopy?: (pair: BothSides<T>, wanted: ObjectFields) => readonly CopyPart[]
  /** What the virtual object adopts from its copy, already with the names of the virtual cluster. */
  readonly toVirtual?: (copy: T, virtual: T, setting: KindSetting) => TakenOver
}

/** A part of a copy that a server accepts only under a subresource. */
export interface CopyPart {
  readonly subresource: string
  /** A merge patch. */
  readonly body: ObjectFields
  /** The last-sync note that is true after the write. Absent: it stays unchanged. */
  readonly lastSync?: string
}

/** The state of objects that end together with their copies. */
export interface Ending<T extends KubeObject = KubeObject> {
  /** Whether it has run, so that a missing copy means that it has ended. */
  hasRun(virtual: T): boolean
  /** Whether it has ended and never starts again. */
  hasEnded(virtual: T): boolean
  /** The longest time a copy may take to end, whatever is requested. */
  readonly longestGraceSeconds: number
}

/** Merge patches of parts of a virtual object. Absent: that part is up to date. */
export interface TakenOver {
  /** The node of a Pod. It is written alone, before anything else. */
  readonly binding?: NodeBinding
  readonly annotations?: Readonly<Record<string, string | null>>
  readonly fields?: ObjectFields
  readonly status?: ObjectFields
}

export interface NodeBinding {
  readonly node: string
}

/** Merge patches of a virtual object and its status. Absent: no change. */
export interface VirtualChange {
  readonly binding?: NodeBinding
  readonly body?: ObjectFields
  readonly status?: ObjectFields
  /** Set if the status is written only over the state that was read. */
  readonly isStatusAtVersion?: true
}

export interface BothSides<T extends KubeObject = KubeObject> {
  readonly virtual: T
  readonly copy: T
}

/** Both sides of one object. The markers of the copy have been checked. */
export type Pair =
  | { readonly virtual: KubeObject; readonly copy: undefined }
  | BothSides
  | { readonly virtual: undefined; readonly copy: KubeObject }

/** Why an object is not in step. The reason is one word, as in Events. */
export interface Trouble {
  readonly reason: string
  readonly message: string
}

/** The action for one object. Every write is based on the state that was read, so a newer state is a conflict. */
export type Plan =
  | { readonly action: 'nothing'; readonly trouble?: Trouble }
  /** The object is not synced, and has no copy. */
  | { readonly action: 'leave out' }
  /** Nothing can be done before something else happens. */
  | { readonly action: 'wait'; readonly trouble: Trouble }
  | { readonly action: 'fail'; readonly trouble: Trouble }
  /** The policy does not allow any of it, and it has no copy. */
  | { readonly action: 'hold back'; readonly trouble: Trouble }
  | { readonly action: 'create'; readonly host: KubeObject }
  /** The virtual side is written first, so that a crash in between leaves nothing to undo. */
  | {
      readonly action: 'update'
      readonly virtual?: VirtualChange
      readonly host?: KubeObject
      /** Parts of the copy in the state that was read: the first one that the host accepts is written. */
      readonly parts?: readonly PartWrite[]
      /** The copy notes what is about to flow back; the rest follows from that. */
      readonly isPreparation?: true
      readonly trouble?: Trouble
    }
  | CopyDeletion
  /** The virtual object is deleted, because its copy has ended or is about to. */
  | {
      readonly action: 'end'
      readonly virtual: KubeObject
      readonly graceSeconds: number
      readonly because: string
    }

  /** The virtual object was deleted and its copy is gone: the finalizer for the copy is removed. */
  | { readonly action: 'release'; readonly virtual: KubeObject }

export interface PartWrite extends CopyPart {
  readonly copy: KubeObject
}

export interface CopyDeletion {
  readonly action: 'delete'
  readonly copy: KubeObject
  readonly because: string
  /**
   * Set if the copy takes time to end and changes meanwhile: it is deleted in any state. Absent: only in the state that
   * was read.
   */
  readonly ends?: { readonly graceSeconds?: number }
}
