/** An object of either world, reduced to the fields that the checker uses. */
export interface Seen {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion?: string
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[]
  }
  readonly spec?: SeenSpec
  readonly status?: SeenStatus
  readonly data?: Readonly<Record<string, string>>
}

export interface SeenSpec {
  readonly nodeName?: string
  readonly schedulerName?: string
  readonly replicas?: number
  readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[]
  readonly containers?: readonly { readonly envFrom?: readonly SeenVariables[] }[]
}

export interface SeenVariables {
  readonly secretRef?: { readonly name?: string }
  readonly configMapRef?: { readonly name?: string }
}

export interface SeenStatus {
  readonly phase?: string
  readonly podIP?: string
  readonly readyReplicas?: number
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
}

export type Side = 'virtual' | 'host'

/** An event of a watch, or of a list after history was lost. */
export interface Sight {
  readonly side: Side
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Seen
  /** According to the clock of the test. */
  readonly atMs: number
}

/** Changes by the owner of a foreign object. */
export interface ForeignObject {
  readonly what: string
  /** Each resourceVersion that its owner has written. */
  readonly versions: Set<string>
  isDeleted: boolean
  /** It was a copy before it lost a mark: requests that were already sent may still reach it. */
  readonly wasCopy?: true
}

/** The input of the checker. */
export interface Account {
  /** In the order of their arrival. */
  readonly sights: readonly Sight[]
  /** By uid. */
  readonly foreign: ReadonlyMap<string, ForeignObject>
  /** By uid of the virtual Pod: the copy that the host removed after the virtual Pod was on a node. */
  readonly taken: ReadonlyMap<string, string>
  /** The end of the run, according to the clock of the test. */
  readonly endMs: number
  /** Watches have lost history: some states may not have been seen. */
  readonly hasGaps: boolean
}

const prefix = 'tenant.internal/'

/** The marks of a copy, from the documentation alone. */
export const marks = {
  managedBy: `${prefix}managed-by`,
  companion: `${prefix}companion`,
  name: `${prefix}object-name`,
  namespace: `${prefix}object-namespace`,
  uid: `${prefix}object-uid`,
  kind: `${prefix}object-kind`,
  hostName: `${prefix}host-name`,
  tenantNamespace: `${prefix}tenant-namespace`,
} as const

export function originUid({ metadata }: Seen): string | undefined {
  return metadata.annotations?.[marks.uid]
}

export function originOf({ kind, metadata: { annotations = {} } }: Seen): string {
  return `${kind} ${annotations[marks.namespace]}/${annotations[marks.name]}`
}

export function isReady({ status }: Seen): boolean {
  return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true
}

export function hasEnded({ status }: Seen): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}
