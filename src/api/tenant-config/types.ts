/** The content of tenant.yaml with every default filled in. A member that may be absent has no default. */
export interface EffectiveConfig {
  readonly sync: SyncConfig
  readonly policies: PoliciesConfig
  readonly external: ExternalConfig
  readonly networking: NetworkingConfig
  readonly controlPlane: ControlPlaneConfig
  readonly license: LicenseConfig
}

/** The content of tenant.yaml as written. */
export type TenantConfig = Written<EffectiveConfig>

/** Everything may be omitted except members of list items. */
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
  readonly pods: KindSync
  readonly podDisruptionBudgets: KindSync
  /** By `plural.group`, or by the plural alone if that is unambiguous. */
  readonly customResources: Readonly<Record<string, KindSync>>
}

export interface FromHostConfig {
  readonly configMaps: ImportedKindSync
  readonly secrets: ImportedKindSync
  readonly customResources: Readonly<Record<string, ImportedKindSync>>
  readonly nodes: NodeSync
}

/** Which nodes of the host the virtual cluster shows. */
export interface NodeSync {
  /** `none`, `used` or `selected`. */
  readonly mode: string
  /** Selects the nodes. These label keys are shown. */
  readonly labels: Readonly<Record<string, string>>
}

export interface KindSync {
  readonly enabled: boolean
  readonly patches: readonly PatchConfig[]
}

/** A kind of which only objects that a synced object refers to are synced, unless `all` is set. */
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
export interface PatchConfig {
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

/** It has no options: its presence is what counts. */
export type LabelSelection = Readonly<Record<never, never>>

export interface PoliciesConfig {
  readonly sync: SyncPolicies
  readonly pods: PodPolicies
  readonly isolation: IsolationPolicies
}

/** What isolates tenants in namespaces of the host that `tenant create` creates for only one virtual cluster. */
export interface IsolationPolicies {
  readonly networkPolicies: NetworkIsolation
  readonly resourceQuota: QuotaIsolation
  readonly limitRange: LimitIsolation
}

export interface NetworkIsolation extends Switch {
  /** Addresses that Pods may connect to besides public ones. */
  readonly allowed: readonly string[]
  /** Namespaces of the host whose Pods may connect to those of the tenant. */
  readonly fromNamespaces: readonly string[]
  /** Public ranges of the host's Pods, besides those that its nodes report. */
  readonly podRanges: readonly string[]
}

export interface QuotaIsolation extends Switch {
  /** By resource; they take precedence over the defaults. */
  readonly hard: Readonly<Record<string, string>>
}

export interface LimitIsolation extends Switch {
  /** The request of a container that specifies none, by resource. */
  readonly defaultRequest: Readonly<Record<string, string>>
  /** The limit of a container that specifies none. */
  readonly default: Readonly<Record<string, string>>
}

/** What parts of a tenant's objects may reach the host. Absent means safe. */
export interface SyncPolicies {
  readonly externalIPs: AllowedRanges
  readonly loadBalancerIP: AllowedRanges
  readonly externalNames: AllowedNames
  readonly nodePorts: Switch
  readonly loadBalancers: LoadBalancerPolicy
  readonly annotations: KeyPolicy
  readonly labels: KeyPolicy
  readonly endpointAddresses: AddressPolicy
  readonly ingresses: IngressPolicy
  readonly storageClasses: AllowedNames
  readonly volumeAttributesClasses: AllowedNames
}

/** What Pods of a tenant may use on the host. Absent means safe. */
export interface PodPolicies {
  /** A level of the Pod Security Standards: `privileged`, `baseline` or `restricted`. */
  readonly security: string
  readonly tolerations: AllowedNames
  readonly nodeSelector: Readonly<Record<string, string>>
  /** From a class of the virtual cluster to one of the host. */
  readonly priorityClasses: Readonly<Record<string, string>>
  readonly runtimeClasses: AllowedNames
  readonly csiDrivers: AllowedNames
}

export interface Switch {
  readonly enabled: boolean
}

/** Addresses such as `203.0.113.7` or `203.0.113.0/24`. */
export interface AllowedRanges {
  readonly allowed: readonly string[]
}

/** Names, and in some places patterns such as `*.example.com` or `*`. */
export interface AllowedNames {
  readonly allowed: readonly string[]
}

export interface LoadBalancerPolicy extends Switch {
  readonly classes: readonly string[]
}

/** Prefixes such as `example.com/`, keys, or `*`. */
export interface KeyPolicy {
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
}

export interface AddressPolicy {
  /** Absent: unknown; `tenant create` and `tenant up` fill it in. */
  readonly host?: readonly string[]
  readonly denied: readonly string[]
  readonly allowed: readonly string[]
}

export interface IngressPolicy {
  readonly hosts: readonly string[]
}

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
  /**
   * Where Pods reach the API of the virtual cluster, such as `10.0.0.5:6443`. Absent: through the Service of the
   * tenant.
   */
  readonly apiAddress?: string
  /** Absent: through the Service of the tenant, if it has a DNS port. */
  readonly dnsAddress?: string
}

export interface ControlPlaneConfig {
  /** Absent: the image of the release that deploys. */
  readonly image?: string
  readonly imagePullSecrets: readonly string[]
  readonly replicas: number
  readonly resources: ResourcesConfig
  readonly storage: StorageConfig
  readonly labels: Readonly<Record<string, string>>
  readonly nodeSelector: Readonly<Record<string, string>>
  readonly affinity: AffinityConfig
  readonly tolerations: readonly TolerationConfig[]
  readonly env: readonly VariableConfig[]
  /** Absent: the embedded control plane. */
  readonly virtualKubeconfig?: SecretValuePlace
  /** Absent: tokens of other issuers are not accepted. */
  readonly oidc?: OidcIssuerConfig
  readonly adminKubeconfig: AdminKubeconfig
  /** Who manages workloads: `embedded`, or `external`: a kube-controller-manager. */
  readonly controllers: string
  /** The kube-controller-manager that `tenant create` runs beside the tenant. */
  readonly controllerManager?: ControllerManagerConfig
}

export interface ControllerManagerConfig {
  readonly image: string
  readonly resources: ResourcesConfig
}

export interface ResourcesConfig {
  readonly requests: { readonly cpu: string; readonly memory: string }
  readonly limits: { readonly cpu?: string; readonly memory?: string }
}

export interface TolerationConfig {
  readonly key?: string
  readonly operator: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

/** Exactly one of the two is present. */
export interface VariableConfig {
  readonly name: string
  readonly value?: string
  readonly secret?: { readonly secretName: string; readonly key: string }
}

export interface AffinityConfig {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly NodeAffinityTerm[]
    }
    readonly preferredDuringSchedulingIgnoredDuringExecution: readonly {
      readonly weight: number
      readonly preference: NodeAffinityTerm
    }[]
  }
  readonly podAffinity?: PodAffinityConfig
  readonly podAntiAffinity?: PodAffinityConfig
}

export interface PodAffinityConfig {
  readonly requiredDuringSchedulingIgnoredDuringExecution: readonly PodAffinityTerm[]
  readonly preferredDuringSchedulingIgnoredDuringExecution: readonly {
    readonly weight: number
    readonly podAffinityTerm: PodAffinityTerm
  }[]
}

export interface NodeAffinityTerm {
  readonly matchExpressions: readonly LabelExpression[]
}

export interface PodAffinityTerm {
  readonly labelSelector: {
    readonly matchLabels: Readonly<Record<string, string>>
    readonly matchExpressions: readonly LabelExpression[]
  }
  readonly namespaces: readonly string[]
  readonly topologyKey: string
}

export interface LabelExpression {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

export interface OidcIssuerConfig {
  readonly issuer: string
  readonly clientId: string
  readonly usernameClaim: string
  readonly usernamePrefix: string
  readonly groupsClaim: string
  readonly groupsPrefix: string
  readonly caBundle?: string
}

export interface StorageConfig {
  readonly size: string
  readonly className?: string
  readonly maxObjects: number
  readonly maxTotalSize: string
  /** Absent: objects are in the volume. */
  readonly etcd?: EtcdConfig
}

export interface EtcdConfig {
  /** Separated by commas. */
  readonly addresses: string
  /** Absent: derived from the names of the namespace and of the virtual cluster. */
  readonly prefix?: string
  readonly certificates?: { readonly secretName: string }
  readonly user?: SecretValuePlace
}

export interface SecretValuePlace {
  readonly secretName: string
  readonly key: string
}

export interface AdminKubeconfig {
  /** Absent: a name derived from the tenant's. */
  readonly secretName?: string
}

export interface LicenseConfig {
  readonly secretName?: string
  readonly issuerKey?: string
}
