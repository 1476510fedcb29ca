/** What tenant.yaml says, with every default filled in. A member that may be absent has no default. */
export interface EffectiveConfig {
  readonly sync: SyncConfig
  readonly external: ExternalConfig
  readonly networking: NetworkingConfig
  readonly controlPlane: ControlPlaneConfig
  readonly license: LicenseConfig
}

/** What tenant.yaml says, as it was written. */
export type TenantConfig = Written<EffectiveConfig>

/** Everything may be left out but the members of list items. */
export type Written<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Member in keyof T]?: Written<T[Member]> }
    : T

export interface SyncConfig {
  readonly toHost: ToHostConfig
  readonly fromHost: FromHostConfig
}

export interface ToHostConfig {
  readonly endpoints: KindSync
  readonly services: KindSync
  readonly endpointSlices: KindSync
  readonly secrets: ReferencedKindSync
  readonly configMaps: ReferencedKindSync
  readonly namespaces: NamespaceSync
  readonly serviceAccounts: KindSync
  readonly ingresses: KindSync
  readonly networkPolicies: KindSync
  readonly persistentVolumeClaims: KindSync
  /** By `plural.group`, or by the plural alone where that is clear. */
  readonly customResources: Readonly<Record<string, KindSync>>
}

export interface FromHostConfig {
  readonly configMaps: ImportedKindSync
  readonly secrets: ImportedKindSync
  readonly customResources: Readonly<Record<string, ImportedKindSync>>
}

export interface KindSync {
  readonly enabled: boolean
  readonly patches: readonly Patch[]
}

/** A kind of which only those objects travel that something synced refers to, unless `all` is set. */
export interface ReferencedKindSync extends KindSync {
  readonly all: boolean
}

export interface NamespaceSync extends KindSync {
  readonly mappings: Mappings
}

export interface ImportedKindSync extends KindSync {
  readonly mappings: Mappings
}

export interface Mappings {
  /** Namespaces: virtual to host. Objects from the host: host to virtual. */
  readonly byName: Readonly<Record<string, string>>
}

/** Either expressions, or `reference`, or `labels`. */
export interface Patch {
  readonly path: string
  readonly expression?: string
  readonly reverseExpression?: string
  readonly reference?: PatchReference
  readonly labels?: LabelSelection
}

/** With `labels` the value is a label selector, as with `labels` beside the reference. */
export interface PatchReference {
  readonly apiVersion?: string
  readonly apiVersionPath?: string
  readonly kind?: string
  readonly kindPath?: string
  readonly namePath?: string
  readonly namespacePath?: string
  readonly labels?: LabelSelection
}

/** It has no options: being there is what it says. */
export type LabelSelection = Readonly<Record<never, never>>

export interface ExternalConfig {
  /** Absent: linked if a key is found. Present without `apiKey`: a dedicated key is expected. */
  readonly platform?: PlatformConfig
}

export interface PlatformConfig {
  readonly apiKey?: ApiKeySource
  readonly project?: string
}

export interface ApiKeySource {
  readonly secretName: string
  /** Absent: the tenant's own namespace on the host. */
  readonly namespace?: string
  readonly createRBAC: boolean
}

export interface NetworkingConfig {
  readonly clusterDomain: string
  readonly hostClusterDomain: string
}

export interface ControlPlaneConfig {
  /** Absent: the image of the release that deploys. */
  readonly image?: string
  readonly replicas: number
  readonly storage: StorageConfig
  /** Absent: the embedded control plane. */
  readonly virtualKubeconfig?: KubeconfigSource
  readonly adminKubeconfig: AdminKubeconfig
}

export interface StorageConfig {
  readonly size: string
  readonly className?: string
}

export interface KubeconfigSource {
  readonly secretName: string
  readonly key: string
}

export interface AdminKubeconfig {
  /** Absent: a name made from the tenant's own. */
  readonly secretName?: string
}

export interface LicenseConfig {
  readonly secretName?: string
  readonly issuerKey?: string
}
