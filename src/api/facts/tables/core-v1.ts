/** k8s.io.api.core.v1 */
export const coreV1 = `
AWSElasticBlockStoreVolumeSource
  1 volumeID: string! (required)
  2 fsType: string
  3 partition: int32
  4 readOnly: bool

Affinity
  1 nodeAffinity: NodeAffinity
  2 podAffinity: PodAffinity
  3 podAntiAffinity: PodAntiAffinity

AppArmorProfile
  1 type: string! (required, one of Localhost RuntimeDefault Unconfined, go v1.AppArmorProfileType)
  2 localhostProfile: string?

AttachedVolume
  1 name: string! (required, go v1.UniqueVolumeName)
  2 devicePath: string! (required)

AzureDiskVolumeSource
  1 diskName: string! (required)
  2 diskURI: string! (required)
  3 cachingMode: string? (one of None ReadOnly ReadWrite, go v1.AzureDataDiskCachingMode)
  4 fsType: string?
  5 readOnly: bool?
  6 kind: string? (one of Dedicated Managed Shared, go v1.AzureDataDiskKind)

AzureFilePersistentVolumeSource
  1 secretName: string! (required)
  2 shareName: string! (required)
  3 readOnly: bool
  4 secretNamespace: string?

AzureFileVolumeSource
  1 secretName: string! (required)
  2 shareName: string! (required)
  3 readOnly: bool

Binding
  1 metadata: meta.ObjectMeta
  2 target: ObjectReference! (required)

CSIPersistentVolumeSource
  1 driver: string! (required)
  2 volumeHandle: string! (required)
  3 readOnly: bool
  4 fsType: string
  5 volumeAttributes: map string
  6 controllerPublishSecretRef: SecretReference
  7 nodeStageSecretRef: SecretReference
  8 nodePublishSecretRef: SecretReference
  9 controllerExpandSecretRef: SecretReference
  10 nodeExpandSecretRef: SecretReference

CSIVolumeSource
  1 driver: string! (required)
  2 readOnly: bool?
  3 fsType: string?
  4 volumeAttributes: map string
  5 nodePublishSecretRef: LocalObjectReference

Capabilities
  1 add: string[] (go []v1.Capability)
  2 drop: string[] (go []v1.Capability)

CephFSPersistentVolumeSource
  1 monitors: string[]! (required)
  2 path: string
  3 user: string
  4 secretFile: string
  5 secretRef: SecretReference
  6 readOnly: bool

CephFSVolumeSource
  1 monitors: string[]! (required)
  2 path: string
  3 user: string
  4 secretFile: string
  5 secretRef: LocalObjectReference
  6 readOnly: bool

CinderPersistentVolumeSource
  1 volumeID: string! (required)
  2 fsType: string
  3 readOnly: bool
  4 secretRef: SecretReference

CinderVolumeSource
  1 volumeID: string! (required)
  2 fsType: string
  3 readOnly: bool
  4 secretRef: LocalObjectReference

ClientIPConfig
  1 timeoutSeconds: int32?

ClusterTrustBundleProjection
  1 name: string?
  2 signerName: string?
  3 labelSelector: meta.LabelSelector
  5 optional: bool?
  4 path: string! (required)

ComponentCondition
  1 type: string! (required, go v1.ComponentConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 message: string
  4 error: string

ComponentStatus
  1 metadata: meta.ObjectMeta
  2 conditions: ComponentCondition[] (merged by type)

ComponentStatusList
  1 metadata: meta.ListMeta
  2 items: ComponentStatus[]!

ConfigMap
  1 metadata: meta.ObjectMeta
  4 immutable: bool?
  2 data: map string
  3 binaryData: map bytes

ConfigMapEnvSource
  1 localObjectReference: LocalObjectReference (inline)
  2 optional: bool?

ConfigMapKeySelector atomic
  1 localObjectReference: LocalObjectReference (inline)
  2 key: string! (required)
  3 optional: bool?

ConfigMapList
  1 metadata: meta.ListMeta
  2 items: ConfigMap[]!

ConfigMapNodeConfigSource
  1 namespace: string! (required)
  2 name: string! (required)
  3 uid: string (go types.UID)
  4 resourceVersion: string
  5 kubeletConfigKey: string! (required)

ConfigMapProjection
  1 localObjectReference: LocalObjectReference (inline)
  2 items: KeyToPath[]
  4 optional: bool?

ConfigMapVolumeSource
  1 localObjectReference: LocalObjectReference (inline)
  2 items: KeyToPath[]
  3 defaultMode: int32?
  4 optional: bool?

Container
  1 name: string! (required)
  2 image: string
  3 command: string[]
  4 args: string[]
  5 workingDir: string
  6 ports: ContainerPort[] (keyed by containerPort protocol, patched by containerPort)
  19 envFrom: EnvFromSource[]
  7 env: EnvVar[] (merged by name)
  8 resources: ResourceRequirements!
  23 resizePolicy: ContainerResizePolicy[]
  24 restartPolicy: string? (go v1.ContainerRestartPolicy)
  9 volumeMounts: VolumeMount[] (merged by mountPath)
  21 volumeDevices: VolumeDevice[] (merged by devicePath)
  10 livenessProbe: Probe
  11 readinessProbe: Probe
  22 startupProbe: Probe
  12 lifecycle: Lifecycle
  13 terminationMessagePath: string
  20 terminationMessagePolicy: string (one of FallbackToLogsOnError File, go v1.TerminationMessagePolicy)
  14 imagePullPolicy: string (one of Always IfNotPresent Never, go v1.PullPolicy)
  15 securityContext: SecurityContext
  16 stdin: bool
  17 stdinOnce: bool
  18 tty: bool

ContainerImage
  1 names: string[]!
  2 sizeBytes: int64

ContainerPort
  1 name: string
  2 hostPort: int32
  3 containerPort: int32! (required)
  4 protocol: string (default "TCP", one of SCTP TCP UDP, go v1.Protocol)
  5 hostIP: string

ContainerResizePolicy
  1 resourceName: string! (required, go v1.ResourceName)
  2 restartPolicy: string! (required, go v1.ResourceResizeRestartPolicy)

ContainerState
  1 waiting: ContainerStateWaiting
  2 running: ContainerStateRunning
  3 terminated: ContainerStateTerminated

ContainerStateRunning
  1 startedAt: meta.Time!

ContainerStateTerminated
  1 exitCode: int32! (required)
  2 signal: int32
  3 reason: string
  4 message: string
  5 startedAt: meta.Time!
  6 finishedAt: meta.Time!
  7 containerID: string

ContainerStateWaiting
  1 reason: string
  2 message: string

ContainerStatus
  1 name: string! (required)
  2 state: ContainerState!
  3 lastState: ContainerState!
  4 ready: bool! (required)
  5 restartCount: int32! (required)
  6 image: string! (required)
  7 imageID: string! (required)
  8 containerID: string
  9 started: bool?
  10 allocatedResources: map resource.Quantity (go v1.ResourceList)
  11 resources: ResourceRequirements
  12 volumeMounts: VolumeMountStatus[] (merged by mountPath)
  13 user: ContainerUser
  14 allocatedResourcesStatus: ResourceStatus[] (merged by name)

ContainerUser
  1 linux: LinuxContainerUser

DaemonEndpoint
  1 Port: int32! (required)

DownwardAPIProjection
  1 items: DownwardAPIVolumeFile[]

DownwardAPIVolumeFile
  1 path: string! (required)
  2 fieldRef: ObjectFieldSelector
  3 resourceFieldRef: ResourceFieldSelector
  4 mode: int32?

DownwardAPIVolumeSource
  1 items: DownwardAPIVolumeFile[]
  2 defaultMode: int32?

EmptyDirVolumeSource
  1 medium: string (go v1.StorageMedium)
  2 sizeLimit: resource.Quantity

EndpointAddress atomic
  1 ip: string! (required)
  3 hostname: string
  4 nodeName: string?
  2 targetRef: ObjectReference

EndpointPort atomic
  1 name: string
  2 port: int32! (required)
  3 protocol: string (one of SCTP TCP UDP, go v1.Protocol)
  4 appProtocol: string?

EndpointSubset
  1 addresses: EndpointAddress[]
  2 notReadyAddresses: EndpointAddress[]
  3 ports: EndpointPort[]

Endpoints
  1 metadata: meta.ObjectMeta
  2 subsets: EndpointSubset[]

EndpointsList
  1 metadata: meta.ListMeta
  2 items: Endpoints[]!

EnvFromSource
  1 prefix: string
  2 configMapRef: ConfigMapEnvSource
  3 secretRef: SecretEnvSource

EnvVar
  1 name: string! (required)
  2 value: string
  3 valueFrom: EnvVarSource

EnvVarSource
  1 fieldRef: ObjectFieldSelector
  2 resourceFieldRef: ResourceFieldSelector
  3 configMapKeyRef: ConfigMapKeySelector
  4 secretKeyRef: SecretKeySelector

EphemeralContainer
  1 ephemeralContainerCommon: EphemeralContainerCommon (inline)
  2 targetContainerName: string

EphemeralContainerCommon
  1 name: string! (required)
  2 image: string
  3 command: string[]
  4 args: string[]
  5 workingDir: string
  6 ports: ContainerPort[] (keyed by containerPort protocol, patched by containerPort)
  19 envFrom: EnvFromSource[]
  7 env: EnvVar[] (merged by name)
  8 resources: ResourceRequirements!
  23 resizePolicy: ContainerResizePolicy[]
  24 restartPolicy: string? (go v1.ContainerRestartPolicy)
  9 volumeMounts: VolumeMount[] (merged by mountPath)
  21 volumeDevices: VolumeDevice[] (merged by devicePath)
  10 livenessProbe: Probe
  11 readinessProbe: Probe
  22 startupProbe: Probe
  12 lifecycle: Lifecycle
  13 terminationMessagePath: string
  20 terminationMessagePolicy: string (go v1.TerminationMessagePolicy)
  14 imagePullPolicy: string (go v1.PullPolicy)
  15 securityContext: SecurityContext
  16 stdin: bool
  17 stdinOnce: bool
  18 tty: bool

EphemeralVolumeSource
  1 volumeClaimTemplate: PersistentVolumeClaimTemplate

Event
  1 metadata: meta.ObjectMeta (required)
  2 involvedObject: ObjectReference! (required)
  3 reason: string
  4 message: string
  5 source: EventSource!
  6 firstTimestamp: meta.Time!
  7 lastTimestamp: meta.Time!
  8 count: int32
  9 type: string
  10 eventTime: meta.MicroTime!
  11 series: EventSeries
  12 action: string
  13 related: ObjectReference
  14 reportingComponent: string!
  15 reportingInstance: string!

EventList
  1 metadata: meta.ListMeta
  2 items: Event[]!

EventSeries
  1 count: int32
  2 lastObservedTime: meta.MicroTime!

EventSource
  1 component: string
  2 host: string

ExecAction
  1 command: string[]

FCVolumeSource
  1 targetWWNs: string[]
  2 lun: int32?
  3 fsType: string
  4 readOnly: bool
  5 wwids: string[]

FlexPersistentVolumeSource
  1 driver: string! (required)
  2 fsType: string
  3 secretRef: SecretReference
  4 readOnly: bool
  5 options: map string

FlexVolumeSource
  1 driver: string! (required)
  2 fsType: string
  3 secretRef: LocalObjectReference
  4 readOnly: bool
  5 options: map string

FlockerVolumeSource
  1 datasetName: string
  2 datasetUUID: string

GCEPersistentDiskVolumeSource
  1 pdName: string! (required)
  2 fsType: string
  3 partition: int32
  4 readOnly: bool

GRPCAction
  1 port: int32! (required)
  2 service: string?

GitRepoVolumeSource
  1 repository: string! (required)
  2 revision: string
  3 directory: string

GlusterfsPersistentVolumeSource
  1 endpoints: string! (required)
  2 path: string! (required)
  3 readOnly: bool
  4 endpointsNamespace: string?

GlusterfsVolumeSource
  1 endpoints: string! (required)
  2 path: string! (required)
  3 readOnly: bool

HTTPGetAction
  1 path: string
  2 port: intstr.IntOrString! (required)
  3 host: string
  4 scheme: string (one of HTTP HTTPS, go v1.URIScheme)
  5 httpHeaders: HTTPHeader[]

HTTPHeader
  1 name: string! (required)
  2 value: string! (required)

HostAlias
  1 ip: string! (required)
  2 hostnames: string[]

HostIP
  1 ip: string! (required)

HostPathVolumeSource
  1 path: string! (required)
  2 type: string? (go v1.HostPathType)

ISCSIPersistentVolumeSource
  1 targetPortal: string! (required)
  2 iqn: string! (required)
  3 lun: int32! (required)
  4 iscsiInterface: string
  5 fsType: string
  6 readOnly: bool
  7 portals: string[]
  8 chapAuthDiscovery: bool
  11 chapAuthSession: bool
  10 secretRef: SecretReference
  12 initiatorName: string?

ISCSIVolumeSource
  1 targetPortal: string! (required)
  2 iqn: string! (required)
  3 lun: int32! (required)
  4 iscsiInterface: string
  5 fsType: string
  6 readOnly: bool
  7 portals: string[]
  8 chapAuthDiscovery: bool
  11 chapAuthSession: bool
  10 secretRef: LocalObjectReference
  12 initiatorName: string?

ImageVolumeSource
  1 reference: string
  2 pullPolicy: string (one of Always IfNotPresent Never, go v1.PullPolicy)

KeyToPath
  1 key: string! (required)
  2 path: string! (required)
  3 mode: int32?

Lifecycle
  1 postStart: LifecycleHandler
  2 preStop: LifecycleHandler

LifecycleHandler
  1 exec: ExecAction
  2 httpGet: HTTPGetAction
  3 tcpSocket: TCPSocketAction
  4 sleep: SleepAction

LimitRange
  1 metadata: meta.ObjectMeta
  2 spec: LimitRangeSpec!

LimitRangeItem
  1 type: string! (required, go v1.LimitType)
  2 max: map resource.Quantity (go v1.ResourceList)
  3 min: map resource.Quantity (go v1.ResourceList)
  4 default: map resource.Quantity (go v1.ResourceList)
  5 defaultRequest: map resource.Quantity (go v1.ResourceList)
  6 maxLimitRequestRatio: map resource.Quantity (go v1.ResourceList)

LimitRangeList
  1 metadata: meta.ListMeta
  2 items: LimitRange[]!

LimitRangeSpec
  1 limits: LimitRangeItem[]! (required)

LinuxContainerUser
  1 uid: int64! (required)
  2 gid: int64! (required)
  3 supplementalGroups: int64[]

LoadBalancerIngress
  1 ip: string
  2 hostname: string
  3 ipMode: string? (go v1.LoadBalancerIPMode)
  4 ports: PortStatus[]

LoadBalancerStatus
  1 ingress: LoadBalancerIngress[]

LocalObjectReference atomic
  1 name: string (default "")

LocalVolumeSource
  1 path: string! (required)
  2 fsType: string?

ModifyVolumeStatus
  1 targetVolumeAttributesClassName: string
  2 status: string! (required, one of InProgress Infeasible Pending, go v1.PersistentVolumeClaimModifyVolumeStatus)

NFSVolumeSource
  1 server: string! (required)
  2 path: string! (required)
  3 readOnly: bool

Namespace
  1 metadata: meta.ObjectMeta
  2 spec: NamespaceSpec!
  3 status: NamespaceStatus!

NamespaceCondition
  1 type: string! (required, go v1.NamespaceConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  4 lastTransitionTime: meta.Time!
  5 reason: string
  6 message: string

NamespaceList
  1 metadata: meta.ListMeta
  2 items: Namespace[]!

NamespaceSpec
  1 finalizers: string[] (go []v1.FinalizerName)

NamespaceStatus
  1 phase: string (one of Active Terminating, go v1.NamespacePhase)
  2 conditions: NamespaceCondition[] (merged by type)

Node
  1 metadata: meta.ObjectMeta
  2 spec: NodeSpec!
  3 status: NodeStatus!

NodeAddress
  1 type: string! (required, go v1.NodeAddressType)
  2 address: string! (required)

NodeAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution: NodeSelector
  2 preferredDuringSchedulingIgnoredDuringExecution: PreferredSchedulingTerm[]

NodeCondition
  1 type: string! (required, go v1.NodeConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastHeartbeatTime: meta.Time!
  4 lastTransitionTime: meta.Time!
  5 reason: string
  6 message: string

NodeConfigSource
  2 configMap: ConfigMapNodeConfigSource

NodeConfigStatus
  1 assigned: NodeConfigSource
  2 active: NodeConfigSource
  3 lastKnownGood: NodeConfigSource
  4 error: string

NodeDaemonEndpoints
  1 kubeletEndpoint: DaemonEndpoint!

NodeFeatures
  1 supplementalGroupsPolicy: bool?

NodeList
  1 metadata: meta.ListMeta
  2 items: Node[]!

NodeRuntimeHandler
  1 name: string!
  2 features: NodeRuntimeHandlerFeatures

NodeRuntimeHandlerFeatures
  1 recursiveReadOnlyMounts: bool?
  2 userNamespaces: bool?

NodeSelector atomic
  1 nodeSelectorTerms: NodeSelectorTerm[]! (required)

NodeSelectorRequirement
  1 key: string! (required)
  2 operator: string! (required, one of DoesNotExist Exists Gt In Lt NotIn, go v1.NodeSelectorOperator)
  3 values: string[]

NodeSelectorTerm atomic
  1 matchExpressions: NodeSelectorRequirement[]
  2 matchFields: NodeSelectorRequirement[]

NodeSpec
  1 podCIDR: string
  7 podCIDRs: string[] (set, patched)
  3 providerID: string
  4 unschedulable: bool
  5 taints: Taint[]
  6 configSource: NodeConfigSource
  2 externalID: string

NodeStatus
  1 capacity: map resource.Quantity (go v1.ResourceList)
  2 allocatable: map resource.Quantity (go v1.ResourceList)
  3 phase: string (one of Pending Running Terminated, go v1.NodePhase)
  4 conditions: NodeCondition[] (merged by type)
  5 addresses: NodeAddress[] (merged by type)
  6 daemonEndpoints: NodeDaemonEndpoints!
  7 nodeInfo: NodeSystemInfo!
  8 images: ContainerImage[]
  9 volumesInUse: string[] (go []v1.UniqueVolumeName)
  10 volumesAttached: AttachedVolume[]
  11 config: NodeConfigStatus
  12 runtimeHandlers: NodeRuntimeHandler[]
  13 features: NodeFeatures

NodeSystemInfo
  1 machineID: string! (required)
  2 systemUUID: string! (required)
  3 bootID: string! (required)
  4 kernelVersion: string! (required)
  5 osImage: string! (required)
  6 containerRuntimeVersion: string! (required)
  7 kubeletVersion: string! (required)
  8 kubeProxyVersion: string! (required)
  9 operatingSystem: string! (required)
  10 architecture: string! (required)

ObjectFieldSelector atomic
  1 apiVersion: string
  2 fieldPath: string! (required)

ObjectReference atomic
  1 kind: string
  2 namespace: string
  3 name: string
  4 uid: string (go types.UID)
  5 apiVersion: string
  6 resourceVersion: string
  7 fieldPath: string

PersistentVolume
  1 metadata: meta.ObjectMeta
  2 spec: PersistentVolumeSpec!
  3 status: PersistentVolumeStatus!

PersistentVolumeClaim
  1 metadata: meta.ObjectMeta
  2 spec: PersistentVolumeClaimSpec!
  3 status: PersistentVolumeClaimStatus!

PersistentVolumeClaimCondition
  1 type: string! (required, go v1.PersistentVolumeClaimConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastProbeTime: meta.Time!
  4 lastTransitionTime: meta.Time!
  5 reason: string
  6 message: string

PersistentVolumeClaimList
  1 metadata: meta.ListMeta
  2 items: PersistentVolumeClaim[]!

PersistentVolumeClaimSpec
  1 accessModes: string[] (one of ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod, go []v1.PersistentVolumeAccessMode)
  4 selector: meta.LabelSelector
  2 resources: VolumeResourceRequirements!
  3 volumeName: string
  5 storageClassName: string?
  6 volumeMode: string? (one of Block Filesystem, go v1.PersistentVolumeMode)
  7 dataSource: TypedLocalObjectReference
  8 dataSourceRef: TypedObjectReference
  9 volumeAttributesClassName: string?

PersistentVolumeClaimStatus
  1 phase: string (one of Bound Lost Pending, go v1.PersistentVolumeClaimPhase)
  2 accessModes: string[] (one of ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod, go []v1.PersistentVolumeAccessMode)
  3 capacity: map resource.Quantity (go v1.ResourceList)
  4 conditions: PersistentVolumeClaimCondition[] (merged by type)
  5 allocatedResources: map resource.Quantity (go v1.ResourceList)
  7 allocatedResourceStatuses: map string (granular, one of ControllerResizeInProgress ControllerResizeInfeasible NodeResizeInProgress NodeResizeInfeasible NodeResizePending, go map[v1.ResourceName]v1.ClaimResourceStatus)
  8 currentVolumeAttributesClassName: string?
  9 modifyVolumeStatus: ModifyVolumeStatus

PersistentVolumeClaimTemplate
  1 metadata: meta.ObjectMeta!
  2 spec: PersistentVolumeClaimSpec! (required)

PersistentVolumeClaimVolumeSource
  1 claimName: string! (required)
  2 readOnly: bool

PersistentVolumeList
  1 metadata: meta.ListMeta
  2 items: PersistentVolume[]!

PersistentVolumeSource
  1 gcePersistentDisk: GCEPersistentDiskVolumeSource
  2 awsElasticBlockStore: AWSElasticBlockStoreVolumeSource
  3 hostPath: HostPathVolumeSource
  4 glusterfs: GlusterfsPersistentVolumeSource
  5 nfs: NFSVolumeSource
  6 rbd: RBDPersistentVolumeSource
  7 iscsi: ISCSIPersistentVolumeSource
  8 cinder: CinderPersistentVolumeSource
  9 cephfs: CephFSPersistentVolumeSource
  10 fc: FCVolumeSource
  11 flocker: FlockerVolumeSource
  12 flexVolume: FlexPersistentVolumeSource
  13 azureFile: AzureFilePersistentVolumeSource
  14 vsphereVolume: VsphereVirtualDiskVolumeSource
  15 quobyte: QuobyteVolumeSource
  16 azureDisk: AzureDiskVolumeSource
  17 photonPersistentDisk: PhotonPersistentDiskVolumeSource
  18 portworxVolume: PortworxVolumeSource
  19 scaleIO: ScaleIOPersistentVolumeSource
  20 local: LocalVolumeSource
  21 storageos: StorageOSPersistentVolumeSource
  22 csi: CSIPersistentVolumeSource

PersistentVolumeSpec
  1 capacity: map resource.Quantity (go v1.ResourceList)
  2 persistentVolumeSource: PersistentVolumeSource (inline)
  3 accessModes: string[] (one of ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod, go []v1.PersistentVolumeAccessMode)
  4 claimRef: ObjectReference (granular)
  5 persistentVolumeReclaimPolicy: string (one of Delete Recycle Retain, go v1.PersistentVolumeReclaimPolicy)
  6 storageClassName: string
  7 mountOptions: string[]
  8 volumeMode: string? (one of Block Filesystem, go v1.PersistentVolumeMode)
  9 nodeAffinity: VolumeNodeAffinity
  10 volumeAttributesClassName: string?

PersistentVolumeStatus
  1 phase: string (one of Available Bound Failed Pending Released, go v1.PersistentVolumePhase)
  2 message: string
  3 reason: string
  4 lastPhaseTransitionTime: meta.Time

PhotonPersistentDiskVolumeSource
  1 pdID: string! (required)
  2 fsType: string

Pod
  1 metadata: meta.ObjectMeta
  2 spec: PodSpec!
  3 status: PodStatus!

PodAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution: PodAffinityTerm[]
  2 preferredDuringSchedulingIgnoredDuringExecution: WeightedPodAffinityTerm[]

PodAffinityTerm
  1 labelSelector: meta.LabelSelector
  2 namespaces: string[]
  3 topologyKey: string! (required)
  4 namespaceSelector: meta.LabelSelector
  5 matchLabelKeys: string[]
  6 mismatchLabelKeys: string[]

PodAntiAffinity
  1 requiredDuringSchedulingIgnoredDuringExecution: PodAffinityTerm[]
  2 preferredDuringSchedulingIgnoredDuringExecution: WeightedPodAffinityTerm[]

PodCondition
  1 type: string! (required, go v1.PodConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastProbeTime: meta.Time!
  4 lastTransitionTime: meta.Time!
  5 reason: string
  6 message: string

PodDNSConfig
  1 nameservers: string[]
  2 searches: string[]
  3 options: PodDNSConfigOption[]

PodDNSConfigOption
  1 name: string
  2 value: string?

PodIP
  1 ip: string! (required)

PodList
  1 metadata: meta.ListMeta
  2 items: Pod[]!

PodOS
  1 name: string! (required, go v1.OSName)

PodReadinessGate
  1 conditionType: string! (required, go v1.PodConditionType)

PodResourceClaim
  1 name: string! (required)
  3 resourceClaimName: string?
  4 resourceClaimTemplateName: string?

PodResourceClaimStatus
  1 name: string! (required)
  2 resourceClaimName: string?

PodSchedulingGate
  1 name: string! (required)

PodSecurityContext
  1 seLinuxOptions: SELinuxOptions
  8 windowsOptions: WindowsSecurityContextOptions
  2 runAsUser: int64?
  6 runAsGroup: int64?
  3 runAsNonRoot: bool?
  4 supplementalGroups: int64[]
  12 supplementalGroupsPolicy: string? (one of Merge Strict, go v1.SupplementalGroupsPolicy)
  5 fsGroup: int64?
  7 sysctls: Sysctl[]
  9 fsGroupChangePolicy: string? (one of Always OnRootMismatch, go v1.PodFSGroupChangePolicy)
  10 seccompProfile: SeccompProfile
  11 appArmorProfile: AppArmorProfile
  13 seLinuxChangePolicy: string? (go v1.PodSELinuxChangePolicy)

PodSpec
  1 volumes: Volume[] (merged by name, retain keys)
  20 initContainers: Container[] (merged by name)
  2 containers: Container[]! (required, merged by name)
  34 ephemeralContainers: EphemeralContainer[] (merged by name)
  3 restartPolicy: string (one of Always Never OnFailure, go v1.RestartPolicy)
  4 terminationGracePeriodSeconds: int64?
  5 activeDeadlineSeconds: int64?
  6 dnsPolicy: string (one of ClusterFirst ClusterFirstWithHostNet Default None, go v1.DNSPolicy)
  7 nodeSelector: map string (atomic)
  8 serviceAccountName: string
  9 serviceAccount: string
  21 automountServiceAccountToken: bool?
  10 nodeName: string
  11 hostNetwork: bool
  12 hostPID: bool
  13 hostIPC: bool
  27 shareProcessNamespace: bool?
  14 securityContext: PodSecurityContext
  15 imagePullSecrets: LocalObjectReference[] (merged by name)
  16 hostname: string
  17 subdomain: string
  18 affinity: Affinity
  19 schedulerName: string
  22 tolerations: Toleration[]
  23 hostAliases: HostAlias[] (merged by ip)
  24 priorityClassName: string
  25 priority: int32?
  26 dnsConfig: PodDNSConfig
  28 readinessGates: PodReadinessGate[]
  29 runtimeClassName: string?
  30 enableServiceLinks: bool?
  31 preemptionPolicy: string? (one of Never PreemptLowerPriority, go v1.PreemptionPolicy)
  32 overhead: map resource.Quantity (go v1.ResourceList)
  33 topologySpreadConstraints: TopologySpreadConstraint[] (keyed by topologyKey whenUnsatisfiable, patched by topologyKey)
  35 setHostnameAsFQDN: bool?
  36 os: PodOS
  37 hostUsers: bool?
  38 schedulingGates: PodSchedulingGate[] (merged by name)
  39 resourceClaims: PodResourceClaim[] (merged by name, retain keys)
  40 resources: ResourceRequirements

PodStatus
  1 phase: string (one of Failed Pending Running Succeeded Unknown, go v1.PodPhase)
  2 conditions: PodCondition[] (merged by type)
  3 message: string
  4 reason: string
  11 nominatedNodeName: string
  5 hostIP: string
  16 hostIPs: HostIP[] (patched by ip)
  6 podIP: string
  12 podIPs: PodIP[] (merged by ip)
  7 startTime: meta.Time
  10 initContainerStatuses: ContainerStatus[]
  8 containerStatuses: ContainerStatus[]
  9 qosClass: string (one of BestEffort Burstable Guaranteed, go v1.PodQOSClass)
  13 ephemeralContainerStatuses: ContainerStatus[]
  14 resize: string (go v1.PodResizeStatus)
  15 resourceClaimStatuses: PodResourceClaimStatus[] (merged by name, retain keys)

PodTemplate
  1 metadata: meta.ObjectMeta
  2 template: PodTemplateSpec!

PodTemplateList
  1 metadata: meta.ListMeta
  2 items: PodTemplate[]!

PodTemplateSpec
  1 metadata: meta.ObjectMeta!
  2 spec: PodSpec!

PortStatus
  1 port: int32! (required)
  2 protocol: string! (required, one of SCTP TCP UDP, go v1.Protocol)
  3 error: string?

PortworxVolumeSource
  1 volumeID: string! (required)
  2 fsType: string
  3 readOnly: bool

PreferredSchedulingTerm
  1 weight: int32! (required)
  2 preference: NodeSelectorTerm! (required)

Probe
  1 handler: ProbeHandler (inline)
  2 initialDelaySeconds: int32
  3 timeoutSeconds: int32
  4 periodSeconds: int32
  5 successThreshold: int32
  6 failureThreshold: int32
  7 terminationGracePeriodSeconds: int64?

ProbeHandler
  1 exec: ExecAction
  2 httpGet: HTTPGetAction
  3 tcpSocket: TCPSocketAction
  4 grpc: GRPCAction

ProjectedVolumeSource
  1 sources: VolumeProjection[]!
  2 defaultMode: int32?

QuobyteVolumeSource
  1 registry: string! (required)
  2 volume: string! (required)
  3 readOnly: bool
  4 user: string
  5 group: string
  6 tenant: string

RBDPersistentVolumeSource
  1 monitors: string[]! (required)
  2 image: string! (required)
  3 fsType: string
  4 pool: string
  5 user: string
  6 keyring: string
  7 secretRef: SecretReference
  8 readOnly: bool

RBDVolumeSource
  1 monitors: string[]! (required)
  2 image: string! (required)
  3 fsType: string
  4 pool: string
  5 user: string
  6 keyring: string
  7 secretRef: LocalObjectReference
  8 readOnly: bool

ReplicationController
  1 metadata: meta.ObjectMeta
  2 spec: ReplicationControllerSpec!
  3 status: ReplicationControllerStatus!

ReplicationControllerCondition
  1 type: string! (required, go v1.ReplicationControllerConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

ReplicationControllerList
  1 metadata: meta.ListMeta
  2 items: ReplicationController[]!

ReplicationControllerSpec
  1 replicas: int32?
  4 minReadySeconds: int32
  2 selector: map string (atomic)
  3 template: PodTemplateSpec

ReplicationControllerStatus
  1 replicas: int32! (required)
  2 fullyLabeledReplicas: int32
  4 readyReplicas: int32
  5 availableReplicas: int32
  3 observedGeneration: int64
  6 conditions: ReplicationControllerCondition[] (merged by type)

ResourceClaim
  1 name: string! (required)
  2 request: string

ResourceFieldSelector atomic
  1 containerName: string
  2 resource: string! (required)
  3 divisor: resource.Quantity!

ResourceHealth
  1 resourceID: string! (required, go v1.ResourceID)
  2 health: string (go v1.ResourceHealthStatus)

ResourceQuota
  1 metadata: meta.ObjectMeta
  2 spec: ResourceQuotaSpec!
  3 status: ResourceQuotaStatus!

ResourceQuotaList
  1 metadata: meta.ListMeta
  2 items: ResourceQuota[]!

ResourceQuotaSpec
  1 hard: map resource.Quantity (go v1.ResourceList)
  2 scopes: string[] (one of BestEffort CrossNamespacePodAffinity NotBestEffort NotTerminating PriorityClass Terminating, go []v1.ResourceQuotaScope)
  3 scopeSelector: ScopeSelector

ResourceQuotaStatus
  1 hard: map resource.Quantity (go v1.ResourceList)
  2 used: map resource.Quantity (go v1.ResourceList)

ResourceRequirements
  1 limits: map resource.Quantity (go v1.ResourceList)
  2 requests: map resource.Quantity (go v1.ResourceList)
  3 claims: ResourceClaim[] (keyed by name)

ResourceStatus
  1 name: string! (required, go v1.ResourceName)
  2 resources: ResourceHealth[] (keyed by resourceID)

SELinuxOptions
  1 user: string
  2 role: string
  3 type: string
  4 level: string

ScaleIOPersistentVolumeSource
  1 gateway: string! (required)
  2 system: string! (required)
  3 secretRef: SecretReference (required)
  4 sslEnabled: bool
  5 protectionDomain: string
  6 storagePool: string
  7 storageMode: string
  8 volumeName: string
  9 fsType: string
  10 readOnly: bool

ScaleIOVolumeSource
  1 gateway: string! (required)
  2 system: string! (required)
  3 secretRef: LocalObjectReference (required)
  4 sslEnabled: bool
  5 protectionDomain: string
  6 storagePool: string
  7 storageMode: string
  8 volumeName: string
  9 fsType: string
  10 readOnly: bool

ScopeSelector atomic
  1 matchExpressions: ScopedResourceSelectorRequirement[]

ScopedResourceSelectorRequirement
  1 scopeName: string! (required, one of BestEffort CrossNamespacePodAffinity NotBestEffort NotTerminating PriorityClass Terminating, go v1.ResourceQuotaScope)
  2 operator: string! (required, one of DoesNotExist Exists In NotIn, go v1.ScopeSelectorOperator)
  3 values: string[]

SeccompProfile
  1 type: string! (required, one of Localhost RuntimeDefault Unconfined, go v1.SeccompProfileType)
  2 localhostProfile: string?

Secret
  1 metadata: meta.ObjectMeta
  5 immutable: bool?
  2 data: map bytes
  4 stringData: map string
  3 type: string (go v1.SecretType)

SecretEnvSource
  1 localObjectReference: LocalObjectReference (inline)
  2 optional: bool?

SecretKeySelector atomic
  1 localObjectReference: LocalObjectReference (inline)
  2 key: string! (required)
  3 optional: bool?

SecretList
  1 metadata: meta.ListMeta
  2 items: Secret[]!

SecretProjection
  1 localObjectReference: LocalObjectReference (inline)
  2 items: KeyToPath[]
  4 optional: bool?

SecretReference atomic
  1 name: string
  2 namespace: string

SecretVolumeSource
  1 secretName: string
  2 items: KeyToPath[]
  3 defaultMode: int32?
  4 optional: bool?

SecurityContext
  1 capabilities: Capabilities
  2 privileged: bool?
  3 seLinuxOptions: SELinuxOptions
  10 windowsOptions: WindowsSecurityContextOptions
  4 runAsUser: int64?
  8 runAsGroup: int64?
  5 runAsNonRoot: bool?
  6 readOnlyRootFilesystem: bool?
  7 allowPrivilegeEscalation: bool?
  9 procMount: string? (one of Default Unmasked, go v1.ProcMountType)
  11 seccompProfile: SeccompProfile
  12 appArmorProfile: AppArmorProfile

Service
  1 metadata: meta.ObjectMeta
  2 spec: ServiceSpec!
  3 status: ServiceStatus!

ServiceAccount
  1 metadata: meta.ObjectMeta
  2 secrets: ObjectReference[] (merged by name)
  3 imagePullSecrets: LocalObjectReference[]
  4 automountServiceAccountToken: bool?

ServiceAccountList
  1 metadata: meta.ListMeta
  2 items: ServiceAccount[]!

ServiceAccountTokenProjection
  1 audience: string
  2 expirationSeconds: int64?
  3 path: string! (required)

ServiceList
  1 metadata: meta.ListMeta
  2 items: Service[]!

ServicePort
  1 name: string
  2 protocol: string (default "TCP", one of SCTP TCP UDP, go v1.Protocol)
  6 appProtocol: string?
  3 port: int32! (required)
  4 targetPort: intstr.IntOrString!
  5 nodePort: int32

ServiceSpec
  1 ports: ServicePort[] (keyed by port protocol, patched by port)
  2 selector: map string (atomic)
  3 clusterIP: string
  18 clusterIPs: string[]
  4 type: string (one of ClusterIP ExternalName LoadBalancer NodePort, go v1.ServiceType)
  5 externalIPs: string[]
  7 sessionAffinity: string (one of ClientIP None, go v1.ServiceAffinity)
  8 loadBalancerIP: string
  9 loadBalancerSourceRanges: string[]
  10 externalName: string
  11 externalTrafficPolicy: string (one of Cluster Local, go v1.ServiceExternalTrafficPolicy)
  12 healthCheckNodePort: int32
  13 publishNotReadyAddresses: bool
  14 sessionAffinityConfig: SessionAffinityConfig
  19 ipFamilies: string[] (go []v1.IPFamily)
  17 ipFamilyPolicy: string? (one of PreferDualStack RequireDualStack SingleStack, go v1.IPFamilyPolicy)
  20 allocateLoadBalancerNodePorts: bool?
  21 loadBalancerClass: string?
  22 internalTrafficPolicy: string? (one of Cluster Local, go v1.ServiceInternalTrafficPolicy)
  23 trafficDistribution: string?

ServiceStatus
  1 loadBalancer: LoadBalancerStatus!
  2 conditions: meta.Condition[] (merged by type)

SessionAffinityConfig
  1 clientIP: ClientIPConfig

SleepAction
  1 seconds: int64! (required)

StorageOSPersistentVolumeSource
  1 volumeName: string
  2 volumeNamespace: string
  3 fsType: string
  4 readOnly: bool
  5 secretRef: ObjectReference

StorageOSVolumeSource
  1 volumeName: string
  2 volumeNamespace: string
  3 fsType: string
  4 readOnly: bool
  5 secretRef: LocalObjectReference

Sysctl
  1 name: string! (required)
  2 value: string! (required)

TCPSocketAction
  1 port: intstr.IntOrString! (required)
  2 host: string

Taint
  1 key: string! (required)
  2 value: string
  3 effect: string! (required, one of NoExecute NoSchedule PreferNoSchedule, go v1.TaintEffect)
  4 timeAdded: meta.Time

Toleration
  1 key: string
  2 operator: string (one of Equal Exists, go v1.TolerationOperator)
  3 value: string
  4 effect: string (one of NoExecute NoSchedule PreferNoSchedule, go v1.TaintEffect)
  5 tolerationSeconds: int64?

TopologySelectorLabelRequirement
  1 key: string! (required)
  2 values: string[]! (required)

TopologySelectorTerm atomic
  1 matchLabelExpressions: TopologySelectorLabelRequirement[]

TopologySpreadConstraint
  1 maxSkew: int32! (required)
  2 topologyKey: string! (required)
  3 whenUnsatisfiable: string! (required, one of DoNotSchedule ScheduleAnyway, go v1.UnsatisfiableConstraintAction)
  4 labelSelector: meta.LabelSelector
  5 minDomains: int32?
  6 nodeAffinityPolicy: string? (one of Honor Ignore, go v1.NodeInclusionPolicy)
  7 nodeTaintsPolicy: string? (one of Honor Ignore, go v1.NodeInclusionPolicy)
  8 matchLabelKeys: string[]

TypedLocalObjectReference atomic
  1 apiGroup: string~
  2 kind: string! (required)
  3 name: string! (required)

TypedObjectReference
  1 apiGroup: string~
  2 kind: string! (required)
  3 name: string! (required)
  4 namespace: string?

Volume
  1 name: string! (required)
  2 volumeSource: VolumeSource (inline)

VolumeDevice
  1 name: string! (required)
  2 devicePath: string! (required)

VolumeMount
  1 name: string! (required)
  2 readOnly: bool
  7 recursiveReadOnly: string? (go v1.RecursiveReadOnlyMode)
  3 mountPath: string! (required)
  4 subPath: string
  5 mountPropagation: string? (one of Bidirectional HostToContainer None, go v1.MountPropagationMode)
  6 subPathExpr: string

VolumeMountStatus
  1 name: string! (required)
  2 mountPath: string! (required)
  3 readOnly: bool
  4 recursiveReadOnly: string? (go v1.RecursiveReadOnlyMode)

VolumeNodeAffinity
  1 required: NodeSelector

VolumeProjection
  1 secret: SecretProjection
  2 downwardAPI: DownwardAPIProjection
  3 configMap: ConfigMapProjection
  4 serviceAccountToken: ServiceAccountTokenProjection
  5 clusterTrustBundle: ClusterTrustBundleProjection

VolumeResourceRequirements
  1 limits: map resource.Quantity (go v1.ResourceList)
  2 requests: map resource.Quantity (go v1.ResourceList)

VolumeSource
  1 hostPath: HostPathVolumeSource
  2 emptyDir: EmptyDirVolumeSource
  3 gcePersistentDisk: GCEPersistentDiskVolumeSource
  4 awsElasticBlockStore: AWSElasticBlockStoreVolumeSource
  5 gitRepo: GitRepoVolumeSource
  6 secret: SecretVolumeSource
  7 nfs: NFSVolumeSource
  8 iscsi: ISCSIVolumeSource
  9 glusterfs: GlusterfsVolumeSource
  10 persistentVolumeClaim: PersistentVolumeClaimVolumeSource
  11 rbd: RBDVolumeSource
  12 flexVolume: FlexVolumeSource
  13 cinder: CinderVolumeSource
  14 cephfs: CephFSVolumeSource
  15 flocker: FlockerVolumeSource
  16 downwardAPI: DownwardAPIVolumeSource
  17 fc: FCVolumeSource
  18 azureFile: AzureFileVolumeSource
  19 configMap: ConfigMapVolumeSource
  20 vsphereVolume: VsphereVirtualDiskVolumeSource
  21 quobyte: QuobyteVolumeSource
  22 azureDisk: AzureDiskVolumeSource
  23 photonPersistentDisk: PhotonPersistentDiskVolumeSource
  26 projected: ProjectedVolumeSource
  24 portworxVolume: PortworxVolumeSource
  25 scaleIO: ScaleIOVolumeSource
  27 storageos: StorageOSVolumeSource
  28 csi: CSIVolumeSource
  29 ephemeral: EphemeralVolumeSource
  30 image: ImageVolumeSource

VsphereVirtualDiskVolumeSource
  1 volumePath: string! (required)
  2 fsType: string
  3 storagePolicyName: string
  4 storagePolicyID: string

WeightedPodAffinityTerm
  1 weight: int32! (required)
  2 podAffinityTerm: PodAffinityTerm! (required)

WindowsSecurityContextOptions
  1 gmsaCredentialSpecName: string?
  2 gmsaCredentialSpec: string?
  3 runAsUserName: string?
  4 hostProcess: bool?
`
