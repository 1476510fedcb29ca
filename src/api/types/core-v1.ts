import type { KubeObject, ObjectMeta } from '../object.ts'
import type { Condition, LabelSelector } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface AWSElasticBlockStoreVolumeSource {
  readonly volumeID: string
  readonly fsType?: string
  readonly partition?: number
  readonly readOnly?: boolean
}

export interface Affinity {
  readonly nodeAffinity?: NodeAffinity
  readonly podAffinity?: PodAffinity
  readonly podAntiAffinity?: PodAntiAffinity
}

export interface AppArmorProfile {
  readonly type: string
  readonly localhostProfile?: string
}

export interface AttachedVolume {
  readonly name: string
  readonly devicePath: string
}

export interface AzureDiskVolumeSource {
  readonly diskName: string
  readonly diskURI: string
  readonly cachingMode?: string
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly kind?: string
}

export interface AzureFilePersistentVolumeSource {
  readonly secretName: string
  readonly shareName: string
  readonly readOnly?: boolean
  readonly secretNamespace?: string
}

export interface AzureFileVolumeSource {
  readonly secretName: string
  readonly shareName: string
  readonly readOnly?: boolean
}

export interface Binding extends KubeObject {
  readonly target: ObjectReference
}

export interface CSIPersistentVolumeSource {
  readonly driver: string
  readonly volumeHandle: string
  readonly readOnly?: boolean
  readonly fsType?: string
  readonly volumeAttributes?: Readonly<Record<string, string>>
  readonly controllerPublishSecretRef?: SecretReference
  readonly nodeStageSecretRef?: SecretReference
  readonly nodePublishSecretRef?: SecretReference
  readonly controllerExpandSecretRef?: SecretReference
  readonly nodeExpandSecretRef?: SecretReference
}

export interface CSIVolumeSource {
  readonly driver: string
  readonly readOnly?: boolean
  readonly fsType?: string
  readonly volumeAttributes?: Readonly<Record<string, string>>
  readonly nodePublishSecretRef?: LocalObjectReference
}

export interface Capabilities {
  readonly add?: readonly string[]
  readonly drop?: readonly string[]
}

export interface CephFSPersistentVolumeSource {
  readonly monitors: readonly string[] | null
  readonly path?: string
  readonly user?: string
  readonly secretFile?: string
  readonly secretRef?: SecretReference
  readonly readOnly?: boolean
}

export interface CephFSVolumeSource {
  readonly monitors: readonly string[] | null
  readonly path?: string
  readonly user?: string
  readonly secretFile?: string
  readonly secretRef?: LocalObjectReference
  readonly readOnly?: boolean
}

export interface CinderPersistentVolumeSource {
  readonly volumeID: string
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly secretRef?: SecretReference
}

export interface CinderVolumeSource {
  readonly volumeID: string
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly secretRef?: LocalObjectReference
}

export interface ClientIPConfig {
  readonly timeoutSeconds?: number
}

export interface ClusterTrustBundleProjection {
  readonly name?: string
  readonly signerName?: string
  readonly labelSelector?: LabelSelector
  readonly optional?: boolean
  readonly path: string
}

export interface ComponentCondition {
  readonly type: string
  readonly status: string
  readonly message?: string
  readonly error?: string
}

export interface ComponentStatus extends KubeObject {
  readonly conditions?: readonly ComponentCondition[]
}

export interface ConfigMap extends KubeObject {
  readonly immutable?: boolean
  readonly data?: Readonly<Record<string, string>>
  readonly binaryData?: Readonly<Record<string, string>>
}

export interface ConfigMapEnvSource {
  readonly name?: string
  readonly optional?: boolean
}

export interface ConfigMapKeySelector {
  readonly name?: string
  readonly key: string
  readonly optional?: boolean
}

export interface ConfigMapNodeConfigSource {
  readonly namespace: string
  readonly name: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly kubeletConfigKey: string
}

export interface ConfigMapProjection {
  readonly name?: string
  readonly items?: readonly KeyToPath[]
  readonly optional?: boolean
}

export interface ConfigMapVolumeSource {
  readonly name?: string
  readonly items?: readonly KeyToPath[]
  readonly defaultMode?: number
  readonly optional?: boolean
}

export interface Container {
  readonly name: string
  readonly image?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly ports?: readonly ContainerPort[]
  readonly envFrom?: readonly EnvFromSource[]
  readonly env?: readonly EnvVar[]
  readonly resources: ResourceRequirements
  readonly resizePolicy?: readonly ContainerResizePolicy[]
  readonly restartPolicy?: string
  readonly volumeMounts?: readonly VolumeMount[]
  readonly volumeDevices?: readonly VolumeDevice[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: Lifecycle
  readonly terminationMessagePath?: string
  readonly terminationMessagePolicy?: string
  readonly imagePullPolicy?: string
  readonly securityContext?: SecurityContext
  readonly stdin?: boolean
  readonly stdinOnce?: boolean
  readonly tty?: boolean
}

export interface ContainerImage {
  readonly names: readonly string[] | null
  readonly sizeBytes?: number
}

export interface ContainerPort {
  readonly name?: string
  readonly hostPort?: number
  readonly containerPort: number
  readonly protocol?: string
  readonly hostIP?: string
}

export interface ContainerResizePolicy {
  readonly resourceName: string
  readonly restartPolicy: string
}

export interface ContainerState {
  readonly waiting?: ContainerStateWaiting
  readonly running?: ContainerStateRunning
  readonly terminated?: ContainerStateTerminated
}

export interface ContainerStateRunning {
  readonly startedAt: string | null
}

export interface ContainerStateTerminated {
  readonly exitCode: number
  readonly signal?: number
  readonly reason?: string
  readonly message?: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly containerID?: string
}

export interface ContainerStateWaiting {
  readonly reason?: string
  readonly message?: string
}

export interface ContainerStatus {
  readonly name: string
  readonly state: ContainerState
  readonly lastState: ContainerState
  readonly ready: boolean
  readonly restartCount: number
  readonly image: string
  readonly imageID: string
  readonly containerID?: string
  readonly started?: boolean
  readonly allocatedResources?: Readonly<Record<string, string | number>>
  readonly resources?: ResourceRequirements
  readonly volumeMounts?: readonly VolumeMountStatus[]
  readonly user?: ContainerUser
  readonly allocatedResourcesStatus?: readonly ResourceStatus[]
}

export interface ContainerUser {
  readonly linux?: LinuxContainerUser
}

export interface DaemonEndpoint {
  readonly Port: number
}

export interface DownwardAPIProjection {
  readonly items?: readonly DownwardAPIVolumeFile[]
}

export interface DownwardAPIVolumeFile {
  readonly path: string
  readonly fieldRef?: ObjectFieldSelector
  readonly resourceFieldRef?: ResourceFieldSelector
  readonly mode?: number
}

export interface DownwardAPIVolumeSource {
  readonly items?: readonly DownwardAPIVolumeFile[]
  readonly defaultMode?: number
}

export interface EmptyDirVolumeSource {
  readonly medium?: string
  readonly sizeLimit?: string | number
}

export interface EndpointAddress {
  readonly ip: string
  readonly hostname?: string
  readonly nodeName?: string
  readonly targetRef?: ObjectReference
}

export interface EndpointPort {
  readonly name?: string
  readonly port: number
  readonly protocol?: string
  readonly appProtocol?: string
}

export interface EndpointSubset {
  readonly addresses?: readonly EndpointAddress[]
  readonly notReadyAddresses?: readonly EndpointAddress[]
  readonly ports?: readonly EndpointPort[]
}

export interface Endpoints extends KubeObject {
  readonly subsets?: readonly EndpointSubset[]
}

export interface EnvFromSource {
  readonly prefix?: string
  readonly configMapRef?: ConfigMapEnvSource
  readonly secretRef?: SecretEnvSource
}

export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: EnvVarSource
}

export interface EnvVarSource {
  readonly fieldRef?: ObjectFieldSelector
  readonly resourceFieldRef?: ResourceFieldSelector
  readonly configMapKeyRef?: ConfigMapKeySelector
  readonly secretKeyRef?: SecretKeySelector
}

export interface EphemeralContainer {
  readonly name: string
  readonly image?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly ports?: readonly ContainerPort[]
  readonly envFrom?: readonly EnvFromSource[]
  readonly env?: readonly EnvVar[]
  readonly resources: ResourceRequirements
  readonly resizePolicy?: readonly ContainerResizePolicy[]
  readonly restartPolicy?: string
  readonly volumeMounts?: readonly VolumeMount[]
  readonly volumeDevices?: readonly VolumeDevice[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: Lifecycle
  readonly terminationMessagePath?: string
  readonly terminationMessagePolicy?: string
  readonly imagePullPolicy?: string
  readonly securityContext?: SecurityContext
  readonly stdin?: boolean
  readonly stdinOnce?: boolean
  readonly tty?: boolean
  readonly targetContainerName?: string
}

export interface EphemeralContainerCommon {
  readonly name: string
  readonly image?: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly ports?: readonly ContainerPort[]
  readonly envFrom?: readonly EnvFromSource[]
  readonly env?: readonly EnvVar[]
  readonly resources: ResourceRequirements
  readonly resizePolicy?: readonly ContainerResizePolicy[]
  readonly restartPolicy?: string
  readonly volumeMounts?: readonly VolumeMount[]
  readonly volumeDevices?: readonly VolumeDevice[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: Lifecycle
  readonly terminationMessagePath?: string
  readonly terminationMessagePolicy?: string
  readonly imagePullPolicy?: string
  readonly securityContext?: SecurityContext
  readonly stdin?: boolean
  readonly stdinOnce?: boolean
  readonly tty?: boolean
}

export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate
}

export interface Event extends KubeObject {
  readonly involvedObject: ObjectReference
  readonly reason?: string
  readonly message?: string
  readonly source: EventSource
  readonly firstTimestamp: string | null
  readonly lastTimestamp: string | null
  readonly count?: number
  readonly type?: string
  readonly eventTime: string | null
  readonly series?: EventSeries
  readonly action?: string
  readonly related?: ObjectReference
  readonly reportingComponent: string
  readonly reportingInstance: string
}

export interface EventSeries {
  readonly count?: number
  readonly lastObservedTime: string | null
}

export interface EventSource {
  readonly component?: string
  readonly host?: string
}

export interface ExecAction {
  readonly command?: readonly string[]
}

export interface FCVolumeSource {
  readonly targetWWNs?: readonly string[]
  readonly lun?: number
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly wwids?: readonly string[]
}

export interface FlexPersistentVolumeSource {
  readonly driver: string
  readonly fsType?: string
  readonly secretRef?: SecretReference
  readonly readOnly?: boolean
  readonly options?: Readonly<Record<string, string>>
}

export interface FlexVolumeSource {
  readonly driver: string
  readonly fsType?: string
  readonly secretRef?: LocalObjectReference
  readonly readOnly?: boolean
  readonly options?: Readonly<Record<string, string>>
}

export interface FlockerVolumeSource {
  readonly datasetName?: string
  readonly datasetUUID?: string
}

export interface GCEPersistentDiskVolumeSource {
  readonly pdName: string
  readonly fsType?: string
  readonly partition?: number
  readonly readOnly?: boolean
}

export interface GRPCAction {
  readonly port: number
  readonly service?: string
}

export interface GitRepoVolumeSource {
  readonly repository: string
  readonly revision?: string
  readonly directory?: string
}

export interface GlusterfsPersistentVolumeSource {
  readonly endpoints: string
  readonly path: string
  readonly readOnly?: boolean
  readonly endpointsNamespace?: string
}

export interface GlusterfsVolumeSource {
  readonly endpoints: string
  readonly path: string
  readonly readOnly?: boolean
}

export interface HTTPGetAction {
  readonly path?: string
  readonly port: string | number
  readonly host?: string
  readonly scheme?: string
  readonly httpHeaders?: readonly HTTPHeader[]
}

export interface HTTPHeader {
  readonly name: string
  readonly value: string
}

export interface HostAlias {
  readonly ip: string
  readonly hostnames?: readonly string[]
}

export interface HostIP {
  readonly ip: string
}

export interface HostPathVolumeSource {
  readonly path: string
  readonly type?: string
}

export interface ISCSIPersistentVolumeSource {
  readonly targetPortal: string
  readonly iqn: string
  readonly lun: number
  readonly iscsiInterface?: string
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly portals?: readonly string[]
  readonly chapAuthDiscovery?: boolean
  readonly chapAuthSession?: boolean
  readonly secretRef?: SecretReference
  readonly initiatorName?: string
}

export interface ISCSIVolumeSource {
  readonly targetPortal: string
  readonly iqn: string
  readonly lun: number
  readonly iscsiInterface?: string
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly portals?: readonly string[]
  readonly chapAuthDiscovery?: boolean
  readonly chapAuthSession?: boolean
  readonly secretRef?: LocalObjectReference
  readonly initiatorName?: string
}

export interface ImageVolumeSource {
  readonly reference?: string
  readonly pullPolicy?: string
}

export interface KeyToPath {
  readonly key: string
  readonly path: string
  readonly mode?: number
}

export interface Lifecycle {
  readonly postStart?: LifecycleHandler
  readonly preStop?: LifecycleHandler
}

export interface LifecycleHandler {
  readonly exec?: ExecAction
  readonly httpGet?: HTTPGetAction
  readonly tcpSocket?: TCPSocketAction
  readonly sleep?: SleepAction
}

export interface LimitRange extends KubeObject {
  readonly spec: LimitRangeSpec
}

export interface LimitRangeItem {
  readonly type: string
  readonly max?: Readonly<Record<string, string | number>>
  readonly min?: Readonly<Record<string, string | number>>
  readonly default?: Readonly<Record<string, string | number>>
  readonly defaultRequest?: Readonly<Record<string, string | number>>
  readonly maxLimitRequestRatio?: Readonly<Record<string, string | number>>
}

export interface LimitRangeSpec {
  readonly limits: readonly LimitRangeItem[] | null
}

export interface LinuxContainerUser {
  readonly uid: number
  readonly gid: number
  readonly supplementalGroups?: readonly number[]
}

export interface LoadBalancerIngress {
  readonly ip?: string
  readonly hostname?: string
  readonly ipMode?: string
  readonly ports?: readonly PortStatus[]
}

export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[]
}

export interface LocalObjectReference {
  readonly name?: string
}

export interface LocalVolumeSource {
  readonly path: string
  readonly fsType?: string
}

export interface ModifyVolumeStatus {
  readonly targetVolumeAttributesClassName?: string
  readonly status: string
}

export interface NFSVolumeSource {
  readonly server: string
  readonly path: string
  readonly readOnly?: boolean
}

export interface Namespace extends KubeObject {
  readonly spec: NamespaceSpec
  readonly status: NamespaceStatus
}

export interface NamespaceCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface NamespaceSpec {
  readonly finalizers?: readonly string[]
}

export interface NamespaceStatus {
  readonly phase?: string
  readonly conditions?: readonly NamespaceCondition[]
}

export interface Node extends KubeObject {
  readonly spec: NodeSpec
  readonly status: NodeStatus
}

export interface NodeAddress {
  readonly type: string
  readonly address: string
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[]
}

export interface NodeCondition {
  readonly type: string
  readonly status: string
  readonly lastHeartbeatTime: string | null
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface NodeConfigSource {
  readonly configMap?: ConfigMapNodeConfigSource
}

export interface NodeConfigStatus {
  readonly assigned?: NodeConfigSource
  readonly active?: NodeConfigSource
  readonly lastKnownGood?: NodeConfigSource
  readonly error?: string
}

export interface NodeDaemonEndpoints {
  readonly kubeletEndpoint: DaemonEndpoint
}

export interface NodeFeatures {
  readonly supplementalGroupsPolicy?: boolean
}

export interface NodeRuntimeHandler {
  readonly name: string
  readonly features?: NodeRuntimeHandlerFeatures
}

export interface NodeRuntimeHandlerFeatures {
  readonly recursiveReadOnlyMounts?: boolean
  readonly userNamespaces?: boolean
}

export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[] | null
}

export interface NodeSelectorRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[]
  readonly matchFields?: readonly NodeSelectorRequirement[]
}

export interface NodeSpec {
  readonly podCIDR?: string
  readonly podCIDRs?: readonly string[]
  readonly providerID?: string
  readonly unschedulable?: boolean
  readonly taints?: readonly Taint[]
  readonly configSource?: NodeConfigSource
  readonly externalID?: string
}

export interface NodeStatus {
  readonly capacity?: Readonly<Record<string, string | number>>
  readonly allocatable?: Readonly<Record<string, string | number>>
  readonly phase?: string
  readonly conditions?: readonly NodeCondition[]
  readonly addresses?: readonly NodeAddress[]
  readonly daemonEndpoints: NodeDaemonEndpoints
  readonly nodeInfo: NodeSystemInfo
  readonly images?: readonly ContainerImage[]
  readonly volumesInUse?: readonly string[]
  readonly volumesAttached?: readonly AttachedVolume[]
  readonly config?: NodeConfigStatus
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[]
  readonly features?: NodeFeatures
}

export interface NodeSystemInfo {
  readonly machineID: string
  readonly systemUUID: string
  readonly bootID: string
  readonly kernelVersion: string
  readonly osImage: string
  readonly containerRuntimeVersion: string
  readonly kubeletVersion: string
  readonly kubeProxyVersion: string
  readonly operatingSystem: string
  readonly architecture: string
}

export interface ObjectFieldSelector {
  readonly apiVersion?: string
  readonly fieldPath: string
}

export interface ObjectReference {
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly apiVersion?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}

export interface PersistentVolume extends KubeObject {
  readonly spec: PersistentVolumeSpec
  readonly status: PersistentVolumeStatus
}

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: PersistentVolumeClaimSpec
  readonly status: PersistentVolumeClaimStatus
}

export interface PersistentVolumeClaimCondition {
  readonly type: string
  readonly status: string
  readonly lastProbeTime: string | null
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly string[]
  readonly selector?: LabelSelector
  readonly resources: VolumeResourceRequirements
  readonly volumeName?: string
  readonly storageClassName?: string
  readonly volumeMode?: string
  readonly dataSource?: TypedLocalObjectReference
  readonly dataSourceRef?: TypedObjectReference
  readonly volumeAttributesClassName?: string
}

export interface PersistentVolumeClaimStatus {
  readonly phase?: string
  readonly accessModes?: readonly string[]
  readonly capacity?: Readonly<Record<string, string | number>>
  readonly conditions?: readonly PersistentVolumeClaimCondition[]
  readonly allocatedResources?: Readonly<Record<string, string | number>>
  readonly allocatedResourceStatuses?: Readonly<Record<string, string>>
  readonly currentVolumeAttributesClassName?: string
  readonly modifyVolumeStatus?: ModifyVolumeStatus
}

export interface PersistentVolumeClaimTemplate extends KubeObject {
  readonly spec: PersistentVolumeClaimSpec
}

export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string
  readonly readOnly?: boolean
}

export interface PersistentVolumeSource {
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  readonly hostPath?: HostPathVolumeSource
  readonly glusterfs?: GlusterfsPersistentVolumeSource
  readonly nfs?: NFSVolumeSource
  readonly rbd?: RBDPersistentVolumeSource
  readonly iscsi?: ISCSIPersistentVolumeSource
  readonly cinder?: CinderPersistentVolumeSource
  readonly cephfs?: CephFSPersistentVolumeSource
  readonly fc?: FCVolumeSource
  readonly flocker?: FlockerVolumeSource
  readonly flexVolume?: FlexPersistentVolumeSource
  readonly azureFile?: AzureFilePersistentVolumeSource
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource
  readonly quobyte?: QuobyteVolumeSource
  readonly azureDisk?: AzureDiskVolumeSource
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  readonly portworxVolume?: PortworxVolumeSource
  readonly scaleIO?: ScaleIOPersistentVolumeSource
  readonly local?: LocalVolumeSource
  readonly storageos?: StorageOSPersistentVolumeSource
  readonly csi?: CSIPersistentVolumeSource
}

export interface PersistentVolumeSpec {
  readonly capacity?: Readonly<Record<string, string | number>>
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  readonly hostPath?: HostPathVolumeSource
  readonly glusterfs?: GlusterfsPersistentVolumeSource
  readonly nfs?: NFSVolumeSource
  readonly rbd?: RBDPersistentVolumeSource
  readonly iscsi?: ISCSIPersistentVolumeSource
  readonly cinder?: CinderPersistentVolumeSource
  readonly cephfs?: CephFSPersistentVolumeSource
  readonly fc?: FCVolumeSource
  readonly flocker?: FlockerVolumeSource
  readonly flexVolume?: FlexPersistentVolumeSource
  readonly azureFile?: AzureFilePersistentVolumeSource
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource
  readonly quobyte?: QuobyteVolumeSource
  readonly azureDisk?: AzureDiskVolumeSource
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  readonly portworxVolume?: PortworxVolumeSource
  readonly scaleIO?: ScaleIOPersistentVolumeSource
  readonly local?: LocalVolumeSource
  readonly storageos?: StorageOSPersistentVolumeSource
  readonly csi?: CSIPersistentVolumeSource
  readonly accessModes?: readonly string[]
  readonly claimRef?: ObjectReference
  readonly persistentVolumeReclaimPolicy?: string
  readonly storageClassName?: string
  readonly mountOptions?: readonly string[]
  readonly volumeMode?: string
  readonly nodeAffinity?: VolumeNodeAffinity
  readonly volumeAttributesClassName?: string
}

export interface PersistentVolumeStatus {
  readonly phase?: string
  readonly message?: string
  readonly reason?: string
  readonly lastPhaseTransitionTime?: string
}

export interface PhotonPersistentDiskVolumeSource {
  readonly pdID: string
  readonly fsType?: string
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec
  readonly status: PodStatus
}

export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[]
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[]
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector
  readonly namespaces?: readonly string[]
  readonly topologyKey: string
  readonly namespaceSelector?: LabelSelector
  readonly matchLabelKeys?: readonly string[]
  readonly mismatchLabelKeys?: readonly string[]
}

export interface PodAntiAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[]
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[]
}

export interface PodCondition {
  readonly type: string
  readonly status: string
  readonly lastProbeTime: string | null
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface PodDNSConfig {
  readonly nameservers?: readonly string[]
  readonly searches?: readonly string[]
  readonly options?: readonly PodDNSConfigOption[]
}

export interface PodDNSConfigOption {
  readonly name?: string
  readonly value?: string
}

export interface PodIP {
  readonly ip: string
}

export interface PodOS {
  readonly name: string
}

export interface PodReadinessGate {
  readonly conditionType: string
}

export interface PodResourceClaim {
  readonly name: string
  readonly resourceClaimName?: string
  readonly resourceClaimTemplateName?: string
}

export interface PodResourceClaimStatus {
  readonly name: string
  readonly resourceClaimName?: string
}

export interface PodSchedulingGate {
  readonly name: string
}

export interface PodSecurityContext {
  readonly seLinuxOptions?: SELinuxOptions
  readonly windowsOptions?: WindowsSecurityContextOptions
  readonly runAsUser?: number
  readonly runAsGroup?: number
  readonly runAsNonRoot?: boolean
  readonly supplementalGroups?: readonly number[]
  readonly supplementalGroupsPolicy?: string
  readonly fsGroup?: number
  readonly sysctls?: readonly Sysctl[]
  readonly fsGroupChangePolicy?: string
  readonly seccompProfile?: SeccompProfile
  readonly appArmorProfile?: AppArmorProfile
  readonly seLinuxChangePolicy?: string
}

export interface PodSpec {
  readonly volumes?: readonly Volume[]
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[] | null
  readonly ephemeralContainers?: readonly EphemeralContainer[]
  readonly restartPolicy?: string
  readonly terminationGracePeriodSeconds?: number
  readonly activeDeadlineSeconds?: number
  readonly dnsPolicy?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly serviceAccountName?: string
  readonly serviceAccount?: string
  readonly automountServiceAccountToken?: boolean
  readonly nodeName?: string
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
  readonly shareProcessNamespace?: boolean
  readonly securityContext?: PodSecurityContext
  readonly imagePullSecrets?: readonly LocalObjectReference[]
  readonly hostname?: string
  readonly subdomain?: string
  readonly affinity?: Affinity
  readonly schedulerName?: string
  readonly tolerations?: readonly Toleration[]
  readonly hostAliases?: readonly HostAlias[]
  readonly priorityClassName?: string
  readonly priority?: number
  readonly dnsConfig?: PodDNSConfig
  readonly readinessGates?: readonly PodReadinessGate[]
  readonly runtimeClassName?: string
  readonly enableServiceLinks?: boolean
  readonly preemptionPolicy?: string
  readonly overhead?: Readonly<Record<string, string | number>>
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[]
  readonly setHostnameAsFQDN?: boolean
  readonly os?: PodOS
  readonly hostUsers?: boolean
  readonly schedulingGates?: readonly PodSchedulingGate[]
  readonly resourceClaims?: readonly PodResourceClaim[]
  readonly resources?: ResourceRequirements
}

export interface PodStatus {
  readonly phase?: string
  readonly conditions?: readonly PodCondition[]
  readonly message?: string
  readonly reason?: string
  readonly nominatedNodeName?: string
  readonly hostIP?: string
  readonly hostIPs?: readonly HostIP[]
  readonly podIP?: string
  readonly podIPs?: readonly PodIP[]
  readonly startTime?: string
  readonly initContainerStatuses?: readonly ContainerStatus[]
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly qosClass?: string
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[]
  readonly resize?: string
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[]
}

export interface PodTemplate extends KubeObject {
  readonly template: PodTemplateSpec
}

export interface PodTemplateSpec {
  readonly metadata: ObjectMeta
  readonly spec: PodSpec
}

export interface PortStatus {
  readonly port: number
  readonly protocol: string
  readonly error?: string
}

export interface PortworxVolumeSource {
  readonly volumeID: string
  readonly fsType?: string
  readonly readOnly?: boolean
}

export interface PreferredSchedulingTerm {
  readonly weight: number
  readonly preference: NodeSelectorTerm
}

export interface Probe {
  readonly exec?: ExecAction
  readonly httpGet?: HTTPGetAction
  readonly tcpSocket?: TCPSocketAction
  readonly grpc?: GRPCAction
  readonly initialDelaySeconds?: number
  readonly timeoutSeconds?: number
  readonly periodSeconds?: number
  readonly successThreshold?: number
  readonly failureThreshold?: number
  readonly terminationGracePeriodSeconds?: number
}

export interface ProbeHandler {
  readonly exec?: ExecAction
  readonly httpGet?: HTTPGetAction
  readonly tcpSocket?: TCPSocketAction
  readonly grpc?: GRPCAction
}

export interface ProjectedVolumeSource {
  readonly sources: readonly VolumeProjection[] | null
  readonly defaultMode?: number
}

export interface QuobyteVolumeSource {
  readonly registry: string
  readonly volume: string
  readonly readOnly?: boolean
  readonly user?: string
  readonly group?: string
  readonly tenant?: string
}

export interface RBDPersistentVolumeSource {
  readonly monitors: readonly string[] | null
  readonly image: string
  readonly fsType?: string
  readonly pool?: string
  readonly user?: string
  readonly keyring?: string
  readonly secretRef?: SecretReference
  readonly readOnly?: boolean
}

export interface RBDVolumeSource {
  readonly monitors: readonly string[] | null
  readonly image: string
  readonly fsType?: string
  readonly pool?: string
  readonly user?: string
  readonly keyring?: string
  readonly secretRef?: LocalObjectReference
  readonly readOnly?: boolean
}

export interface ReplicationController extends KubeObject {
  readonly spec: ReplicationControllerSpec
  readonly status: ReplicationControllerStatus
}

export interface ReplicationControllerCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface ReplicationControllerSpec {
  readonly replicas?: number
  readonly minReadySeconds?: number
  readonly selector?: Readonly<Record<string, string>>
  readonly template?: PodTemplateSpec
}

export interface ReplicationControllerStatus {
  readonly replicas: number
  readonly fullyLabeledReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly observedGeneration?: number
  readonly conditions?: readonly ReplicationControllerCondition[]
}

export interface ResourceClaim {
  readonly name: string
  readonly request?: string
}

export interface ResourceFieldSelector {
  readonly containerName?: string
  readonly resource: string
  readonly divisor: string | number
}

export interface ResourceHealth {
  readonly resourceID: string
  readonly health?: string
}

export interface ResourceQuota extends KubeObject {
  readonly spec: ResourceQuotaSpec
  readonly status: ResourceQuotaStatus
}

export interface ResourceQuotaSpec {
  readonly hard?: Readonly<Record<string, string | number>>
  readonly scopes?: readonly string[]
  readonly scopeSelector?: ScopeSelector
}

export interface ResourceQuotaStatus {
  readonly hard?: Readonly<Record<string, string | number>>
  readonly used?: Readonly<Record<string, string | number>>
}

export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, string | number>>
  readonly requests?: Readonly<Record<string, string | number>>
  readonly claims?: readonly ResourceClaim[]
}

export interface ResourceStatus {
  readonly name: string
  readonly resources?: readonly ResourceHealth[]
}

export interface SELinuxOptions {
  readonly user?: string
  readonly role?: string
  readonly type?: string
  readonly level?: string
}

export interface ScaleIOPersistentVolumeSource {
  readonly gateway: string
  readonly system: string
  readonly secretRef: SecretReference
  readonly sslEnabled?: boolean
  readonly protectionDomain?: string
  readonly storagePool?: string
  readonly storageMode?: string
  readonly volumeName?: string
  readonly fsType?: string
  readonly readOnly?: boolean
}

export interface ScaleIOVolumeSource {
  readonly gateway: string
  readonly system: string
  readonly secretRef: LocalObjectReference
  readonly sslEnabled?: boolean
  readonly protectionDomain?: string
  readonly storagePool?: string
  readonly storageMode?: string
  readonly volumeName?: string
  readonly fsType?: string
  readonly readOnly?: boolean
}

export interface ScopeSelector {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[]
}

export interface ScopedResourceSelectorRequirement {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[]
}

export interface SeccompProfile {
  readonly type: string
  readonly localhostProfile?: string
}

export interface Secret extends KubeObject {
  readonly immutable?: boolean
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
  readonly type?: string
}

export interface SecretEnvSource {
  readonly name?: string
  readonly optional?: boolean
}

export interface SecretKeySelector {
  readonly name?: string
  readonly key: string
  readonly optional?: boolean
}

export interface SecretProjection {
  readonly name?: string
  readonly items?: readonly KeyToPath[]
  readonly optional?: boolean
}

export interface SecretReference {
  readonly name?: string
  readonly namespace?: string
}

export interface SecretVolumeSource {
  readonly secretName?: string
  readonly items?: readonly KeyToPath[]
  readonly defaultMode?: number
  readonly optional?: boolean
}

export interface SecurityContext {
  readonly capabilities?: Capabilities
  readonly privileged?: boolean
  readonly seLinuxOptions?: SELinuxOptions
  readonly windowsOptions?: WindowsSecurityContextOptions
  readonly runAsUser?: number
  readonly runAsGroup?: number
  readonly runAsNonRoot?: boolean
  readonly readOnlyRootFilesystem?: boolean
  readonly allowPrivilegeEscalation?: boolean
  readonly procMount?: string
  readonly seccompProfile?: SeccompProfile
  readonly appArmorProfile?: AppArmorProfile
}

export interface Service extends KubeObject {
  readonly spec: ServiceSpec
  readonly status: ServiceStatus
}

export interface ServiceAccount extends KubeObject {
  readonly secrets?: readonly ObjectReference[]
  readonly imagePullSecrets?: readonly LocalObjectReference[]
  readonly automountServiceAccountToken?: boolean
}

export interface ServiceAccountTokenProjection {
  readonly audience?: string
  readonly expirationSeconds?: number
  readonly path: string
}

export interface ServicePort {
  readonly name?: string
  readonly protocol?: string
  readonly appProtocol?: string
  readonly port: number
  readonly targetPort: string | number
  readonly nodePort?: number
}

export interface ServiceSpec {
  readonly ports?: readonly ServicePort[]
  readonly selector?: Readonly<Record<string, string>>
  readonly clusterIP?: string
  readonly clusterIPs?: readonly string[]
  readonly type?: string
  readonly externalIPs?: readonly string[]
  readonly sessionAffinity?: string
  readonly loadBalancerIP?: string
  readonly loadBalancerSourceRanges?: readonly string[]
  readonly externalName?: string
  readonly externalTrafficPolicy?: string
  readonly healthCheckNodePort?: number
  readonly publishNotReadyAddresses?: boolean
  readonly sessionAffinityConfig?: SessionAffinityConfig
  readonly ipFamilies?: readonly string[]
  readonly ipFamilyPolicy?: string
  readonly allocateLoadBalancerNodePorts?: boolean
  readonly loadBalancerClass?: string
  readonly internalTrafficPolicy?: string
  readonly trafficDistribution?: string
}

export interface ServiceStatus {
  readonly loadBalancer: LoadBalancerStatus
  readonly conditions?: readonly Condition[]
}

export interface SessionAffinityConfig {
  readonly clientIP?: ClientIPConfig
}

export interface SleepAction {
  readonly seconds: number
}

export interface StorageOSPersistentVolumeSource {
  readonly volumeName?: string
  readonly volumeNamespace?: string
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly secretRef?: ObjectReference
}

export interface StorageOSVolumeSource {
  readonly volumeName?: string
  readonly volumeNamespace?: string
  readonly fsType?: string
  readonly readOnly?: boolean
  readonly secretRef?: LocalObjectReference
}

export interface Sysctl {
  readonly name: string
  readonly value: string
}

export interface TCPSocketAction {
  readonly port: string | number
  readonly host?: string
}

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
  readonly timeAdded?: string
}

export interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

export interface TopologySelectorLabelRequirement {
  readonly key: string
  readonly values: readonly string[] | null
}

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[]
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number
  readonly topologyKey: string
  readonly whenUnsatisfiable: string
  readonly labelSelector?: LabelSelector
  readonly minDomains?: number
  readonly nodeAffinityPolicy?: string
  readonly nodeTaintsPolicy?: string
  readonly matchLabelKeys?: readonly string[]
}

export interface TypedLocalObjectReference {
  readonly apiGroup?: string | null
  readonly kind: string
  readonly name: string
}

export interface TypedObjectReference {
  readonly apiGroup?: string | null
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

export interface Volume {
  readonly name: string
  readonly hostPath?: HostPathVolumeSource
  readonly emptyDir?: EmptyDirVolumeSource
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  readonly gitRepo?: GitRepoVolumeSource
  readonly secret?: SecretVolumeSource
  readonly nfs?: NFSVolumeSource
  readonly iscsi?: ISCSIVolumeSource
  readonly glusterfs?: GlusterfsVolumeSource
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  readonly rbd?: RBDVolumeSource
  readonly flexVolume?: FlexVolumeSource
  readonly cinder?: CinderVolumeSource
  readonly cephfs?: CephFSVolumeSource
  readonly flocker?: FlockerVolumeSource
  readonly downwardAPI?: DownwardAPIVolumeSource
  readonly fc?: FCVolumeSource
  readonly azureFile?: AzureFileVolumeSource
  readonly configMap?: ConfigMapVolumeSource
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource
  readonly quobyte?: QuobyteVolumeSource
  readonly azureDisk?: AzureDiskVolumeSource
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  readonly projected?: ProjectedVolumeSource
  readonly portworxVolume?: PortworxVolumeSource
  readonly scaleIO?: ScaleIOVolumeSource
  readonly storageos?: StorageOSVolumeSource
  readonly csi?: CSIVolumeSource
  readonly ephemeral?: EphemeralVolumeSource
  readonly image?: ImageVolumeSource
}

export interface VolumeDevice {
  readonly name: string
  readonly devicePath: string
}

export interface VolumeMount {
  readonly name: string
  readonly readOnly?: boolean
  readonly recursiveReadOnly?: string
  readonly mountPath: string
  readonly subPath?: string
  readonly mountPropagation?: string
  readonly subPathExpr?: string
}

export interface VolumeMountStatus {
  readonly name: string
  readonly mountPath: string
  readonly readOnly?: boolean
  readonly recursiveReadOnly?: string
}

export interface VolumeNodeAffinity {
  readonly required?: NodeSelector
}

export interface VolumeProjection {
  readonly secret?: SecretProjection
  readonly downwardAPI?: DownwardAPIProjection
  readonly configMap?: ConfigMapProjection
  readonly serviceAccountToken?: ServiceAccountTokenProjection
  readonly clusterTrustBundle?: ClusterTrustBundleProjection
}

export interface VolumeResourceRequirements {
  readonly limits?: Readonly<Record<string, string | number>>
  readonly requests?: Readonly<Record<string, string | number>>
}

export interface VolumeSource {
  readonly hostPath?: HostPathVolumeSource
  readonly emptyDir?: EmptyDirVolumeSource
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  readonly gitRepo?: GitRepoVolumeSource
  readonly secret?: SecretVolumeSource
  readonly nfs?: NFSVolumeSource
  readonly iscsi?: ISCSIVolumeSource
  readonly glusterfs?: GlusterfsVolumeSource
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  readonly rbd?: RBDVolumeSource
  readonly flexVolume?: FlexVolumeSource
  readonly cinder?: CinderVolumeSource
  readonly cephfs?: CephFSVolumeSource
  readonly flocker?: FlockerVolumeSource
  readonly downwardAPI?: DownwardAPIVolumeSource
  readonly fc?: FCVolumeSource
  readonly azureFile?: AzureFileVolumeSource
  readonly configMap?: ConfigMapVolumeSource
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource
  readonly quobyte?: QuobyteVolumeSource
  readonly azureDisk?: AzureDiskVolumeSource
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  readonly projected?: ProjectedVolumeSource
  readonly portworxVolume?: PortworxVolumeSource
  readonly scaleIO?: ScaleIOVolumeSource
  readonly storageos?: StorageOSVolumeSource
  readonly csi?: CSIVolumeSource
  readonly ephemeral?: EphemeralVolumeSource
  readonly image?: ImageVolumeSource
}

export interface VsphereVirtualDiskVolumeSource {
  readonly volumePath: string
  readonly fsType?: string
  readonly storagePolicyName?: string
  readonly storagePolicyID?: string
}

export interface WeightedPodAffinityTerm {
  readonly weight: number
  readonly podAffinityTerm: PodAffinityTerm
}

export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpecName?: string
  readonly gmsaCredentialSpec?: string
  readonly runAsUserName?: string
  readonly hostProcess?: boolean
}
