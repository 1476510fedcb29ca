import type { KubeObject } from '../api/object.ts'
import type { ObjectName, ReferencedKind } from '../patches/contract.ts'
import type { NamespaceMapping } from './names/namespace-mapping.ts'

/** Members of an object, by name. */
export type ObjectFields = Readonly<Record<string, unknown>>

export type TextMap = Readonly<Record<string, string>>

/** An object that another one refers to, by its name in the virtual cluster. */
export interface Reference extends ReferencedKind, ObjectName {
  /** The uid of the controller that the object must have. An object of that name with another controller does not count. */
  readonly controllerUid?: string
}

/** How a kind's plans see the names of the tenant. */
export interface HostNames {
  readonly tenant: string
  /** The namespace of the host that the tenant itself is in. */
  readonly tenantNamespace: string
  readonly multiNamespace: boolean
  /** A namespace that is not mapped stays as it is. */
  of(namespace: string, name: string): ObjectName
  /** Nothing if it is not mapped. */
  namespaceOf(namespace: string): string | undefined
  /** The same, and by what kind of entry. */
  mappingOf(namespace: string): NamespaceMapping | undefined
}

export interface KindSetting {
  readonly names: HostNames
  /** The virtual cluster takes over the addresses and ports that the host assigns, as the embedded control plane does. */
  readonly virtualFollowsHostAddresses: boolean
  /** How Pods find names. Nothing: as the nodes of the host do. */
  readonly podNames?: () => PodNames | undefined
  /** Pods are synced, so that what selects them can do so there. */
  readonly podsRunOnHost: boolean
  /** Nodes that the tenant keeps new Pods from. */
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

/** What a kind adds to the sync of labels and annotations, which is the same for all. Pure functions throughout. */
export interface SyncKind {
  /** As tenant.yaml names it. */
  readonly id: string
  /** Nothing where tenant.yaml leaves it to be found. */
  readonly group: string | undefined
  /** The plural. */
  readonly resource: string
  /** Why an object stays in the virtual cluster; nothing if it is synced. */
  readonly leavesOut?: (virtual: KubeObject, setting: KindSetting) => string | undefined
  /** Where the copy is, for kinds that are not named like the others; nothing if there is no place for it. */
  readonly hostName?: (virtual: ObjectName, setting: KindSetting) => ObjectName | undefined
  /** What goes to the host besides labels and annotations, names translated. */
  readonly toHost: (virtual: KubeObject, setting: KindSetting) => ObjectFields
  /** What an import from the host has besides labels and annotations. Absent: everything but the status. */
  readonly imported?: (source: KubeObject) => ObjectFields
  /** Labels that the copy has because of what it is. They go one way. */
  readonly hostLabels?: (virtual: KubeObject, setting: KindSetting) => TextMap
  /** The same for annotations. Their keys are markers. */
  readonly hostAnnotations?: (virtual: KubeObject, setting: KindSetting) => TextMap
  /** Labels and annotations that mean something on their own side only. */
  readonly staysOnItsSide?: (key: string) => boolean
  /** Those of them that a copy has from `hostLabels` or not at all. */
  readonly ownedLabels?: readonly string[]
  /** The fields that are on the host exactly as written. Absent: all fields, in which the host may have more than we wrote. */
  readonly closedFields?: readonly string[]
  /** The fields as a server that fills in its defaults would show them. */
  readonly withDefaults?: (fields: ObjectFields) => ObjectFields
  /** The fields to write over a copy, with what the host has assigned to it. */
  readonly overCopy?: (fields: ObjectFields, copy: KubeObject) => ObjectFields
  /** What an update can change. The copy is in step when these were written, whatever the host shows. Absent: all fields. */
  readonly changeable?: (fields: ObjectFields) => ObjectFields
  /** The copy takes time to end, and the virtual object is there until it has. */
  readonly endsWithCopy?: Ending
  /** The status, as a merge patch, of an object whose copy the host has refused. Absent: an Event is all that tells it. */
  readonly whenRefused?: (virtual: KubeObject, trouble: Trouble, now: string) => ObjectFields | undefined
  /** Other clients write parts of its status, too, so it is written only over the state that was read. */
  readonly sharesStatus?: boolean
  /**
   * Of a new copy that could get hold of what the host adds to it: what is wrong with it as the host would make it. It is tried before
   * it is made. Absent, or nothing: it is made as it is.
   */
  readonly onTrial?: (wanted: KubeObject) => ((made: KubeObject) => Trouble | undefined) | undefined
  /** Why a copy cannot become what is wanted and has to be made anew. */
  readonly whyAnew?: (wanted: ObjectFields, copy: KubeObject) => string | undefined
  /** Values of its objects stay out of messages. */
  readonly hidesValues?: boolean
  readonly references?: (virtual: KubeObject) => readonly Reference[]
  /** The kinds of those below. They go when the kind is switched off. */
  readonly companions?: readonly ServedResource[]
  /** Objects of the host that are no copies and that the copy names all the same: they are there for it alone. */
  readonly companionNames?: (virtual: KubeObject, setting: KindSetting) => readonly string[]
  /** What an object takes hold of without referring to it. Where names stay, that has to be the tenant's own. */
  readonly takesHoldOf?: (virtual: KubeObject, copy: KubeObject | undefined) => readonly Reference[]
  /** What an object leads others to. Where names stay, that may not be another tenant's. */
  readonly leadsTo?: (virtual: KubeObject) => readonly Reference[]
  /** Pods are given the content of such an object by its name. Where names stay, its copy is kept while one names it: another tenant's could take the name. */
  readonly staysWhileNamed?: boolean
  /** The same of an object that copies take hold of by its name when they are placed. While one has yet to end, the copy is kept, and never written over. */
  readonly staysWhileHeld?: boolean
  /** What a copy holds by its name on the host, or will when it is placed. */
  readonly holds?: (copy: KubeObject) => readonly ObjectName[]
  /** What a copy that is on no node yet will take hold of. Where names stay, it goes with that: another tenant's could take the name. */
  readonly holdsWhenPlaced?: (virtual: KubeObject, copy: KubeObject) => readonly Reference[]
  /** What no server lets change. One that shows something else is not believed. */
  readonly fixed?: (virtual: KubeObject) => unknown
  /** The copies of what an object refers to are there before its own is made. */
  readonly needsReferences?: boolean
  /** The Service whose Pods it lists, if any. Where the copy of that one selects Pods itself, the host lists them. */
  readonly listsPodsOf?: (virtual: KubeObject) => readonly ObjectName[]
  /** The kinds that `references` can name. */
  readonly refersTo?: readonly ServedResource[]
  /** The node that an object or its copy is on; empty: none. */
  readonly nodeOf?: (object: KubeObject) => string
  /** What of the fields is not a part of a new copy: it is written to one that exists. */
  readonly atCreation?: (fields: ObjectFields) => ObjectFields
  /** What is changed under a subresource, and only there: the copy is in step when it was written. */
  readonly resources?: (fields: ObjectFields) => unknown
  /**
   * Parts that the copy lacks and that are written by themselves, under subresources, each over the state that was read. The
   * first that the host takes is written, so that one that it refuses holds up none of the others.
   */
  readonly partsOfCopy?: (pair: BothSides, wanted: ObjectFields) => readonly CopyPart[]
  /** What the virtual object takes over from its copy, already under the names of the virtual cluster. */
  readonly toVirtual?: (copy: KubeObject, virtual: KubeObject, setting: KindSetting) => TakenOver
}

/** A part of a copy that a server takes only under a subresource. */
export interface CopyPart {
  readonly subresource: string
  /** A merge patch. */
  readonly body: ObjectFields
  /** The note of the last sync that is true when it was written. Absent: it stays as it is. */
  readonly lastSync?: string
}

/** What objects that end together with their copies say of themselves. */
export interface Ending {
  /** It has been somewhere, so that a copy that is not there has ended. */
  hasRun(virtual: KubeObject): boolean
  /** It is over, and never begins again. */
  hasEnded(virtual: KubeObject): boolean
  /** How long a copy may take to end, whatever is asked for. */
  readonly longestGraceSeconds: number
}

/** Merge patches of parts of a virtual object. Absent: that part is as it should be. */
export interface TakenOver {
  /** Where a Pod runs. It is told alone, before anything else. */
  readonly binding?: NodeBinding
  readonly annotations?: Readonly<Record<string, string | null>>
  readonly fields?: ObjectFields
  readonly status?: ObjectFields
}

export interface NodeBinding {
  readonly node: string
}

/** Merge patches of a virtual object and of its status. Absent: nothing changes. */
export interface VirtualChange {
  readonly binding?: NodeBinding
  readonly body?: ObjectFields
  readonly status?: ObjectFields
  /** The status is written only over the state that was read. */
  readonly isStatusAtVersion?: true
}

export interface BothSides {
  readonly virtual: KubeObject
  readonly copy: KubeObject
}

/** Both sides of one object. The copy has passed the check of its markers. */
export type Pair =
  | { readonly virtual: KubeObject; readonly copy: undefined }
  | BothSides
  | { readonly virtual: undefined; readonly copy: KubeObject }

/** Why an object is not in step. The reason is one word, as Events have it. */
export interface Trouble {
  readonly reason: string
  readonly message: string
}

/** What is to be done about one object. Whatever is written is built on what was read, so a newer state is a conflict. */
export type Plan =
  | { readonly action: 'nothing'; readonly trouble?: Trouble }
  /** It is not synced, and has no copy. */
  | { readonly action: 'leave out' }
  /** Nothing can be done before something else happens. */
  | { readonly action: 'wait'; readonly trouble: Trouble }
  | { readonly action: 'fail'; readonly trouble: Trouble }
  /** The policy lets none of it pass, and it has no copy. */
  | { readonly action: 'hold back'; readonly trouble: Trouble }
  | { readonly action: 'create'; readonly host: KubeObject }
  /** The virtual side is written first: a crash in between then leaves nothing to undo. */
  | {
      readonly action: 'update'
      readonly virtual?: VirtualChange
      readonly host?: KubeObject
      /** Of the copy in the state that was read: the first that the host takes is written. */
      readonly parts?: readonly PartWrite[]
      /** The copy notes what is about to flow back; the rest follows from that. */
      readonly isPreparation?: true
      readonly trouble?: Trouble
    }
  | CopyDeletion
  /** The virtual object is deleted, since its copy has ended or is about to. */
  | {
      readonly action: 'end'
      readonly virtual: KubeObject
      readonly graceSeconds: number
      readonly because: string
    }

export interface PartWrite extends CopyPart {
  readonly copy: KubeObject
}

export interface CopyDeletion {
  readonly action: 'delete'
  readonly copy: KubeObject
  readonly because: string
  /** It takes time to end, and changes all the while: whatever its state is, it goes. Absent: only in the state that was read. */
  readonly ends?: { readonly graceSeconds?: number }
}
