import type { Schema } from '../schema.ts'

/** What the JSON form of a field has that protobuf does not say. Fields are named `package.Message.field`. */
export type FieldFacts = Pick<
  Schema,
  'listType' | 'listMapKeys' | 'patchStrategy' | 'patchMergeKey' | 'mapType' | 'default' | 'enum'
>

/** Messages that are owned and applied as a whole. */
export const atomicMessages: ReadonlySet<string> = new Set([
  'core.ObjectFieldSelector',
  'core.ResourceFieldSelector',
  'core.ConfigMapKeySelector',
  'core.SecretKeySelector',
  'core.NodeSelector',
  'core.NodeSelectorTerm',
  'core.EndpointAddress',
  'core.EndpointPort',
  'core.ObjectReference',
  'core.LocalObjectReference',
  'core.TypedLocalObjectReference',
  'discovery.EndpointPort',
  'rbac.Subject',
  'rbac.RoleRef',
])

/** Lists that are not replaced as a whole, maps that are, what tells list items apart by default, and closed choices. */
export const fieldFacts: ReadonlyMap<string, FieldFacts> = new Map<string, FieldFacts>([
  ['core.ResourceRequirements.claims', { listType: 'map', listMapKeys: ['name'] }],
  [
    'core.Container.ports',
    {
      listType: 'map',
      listMapKeys: ['containerPort', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
    },
  ],
  ['core.Container.env', mergedBy('name')],
  ['core.Container.volumeMounts', mergedBy('mountPath')],
  ['core.Container.volumeDevices', mergedBy('devicePath')],
  ['core.ContainerStatus.volumeMounts', mergedBy('mountPath')],
  ['core.ContainerStatus.allocatedResourcesStatus', mergedBy('name')],
  ['core.ResourceStatus.resources', { listType: 'map', listMapKeys: ['resourceID'] }],
  [
    'core.PodSpec.volumes',
    { listType: 'map', listMapKeys: ['name'], patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' },
  ],
  ['core.PodSpec.initContainers', mergedBy('name')],
  ['core.PodSpec.containers', mergedBy('name')],
  ['core.PodSpec.ephemeralContainers', mergedBy('name')],
  ['core.PodSpec.nodeSelector', { mapType: 'atomic' }],
  ['core.PodSpec.imagePullSecrets', mergedBy('name')],
  ['core.PodSpec.hostAliases', mergedBy('ip')],
  [
    'core.PodSpec.topologySpreadConstraints',
    {
      listType: 'map',
      listMapKeys: ['topologyKey', 'whenUnsatisfiable'],
      patchStrategy: 'merge',
      patchMergeKey: 'topologyKey',
    },
  ],
  ['core.PodSpec.schedulingGates', mergedBy('name')],
  [
    'core.PodSpec.resourceClaims',
    { listType: 'map', listMapKeys: ['name'], patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' },
  ],
  [
    'core.EphemeralContainerCommon.ports',
    {
      listType: 'map',
      listMapKeys: ['containerPort', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
    },
  ],
  ['core.EphemeralContainerCommon.env', mergedBy('name')],
  ['core.EphemeralContainerCommon.volumeMounts', mergedBy('mountPath')],
  ['core.EphemeralContainerCommon.volumeDevices', mergedBy('devicePath')],
  ['core.PodStatus.conditions', mergedBy('type')],
  ['core.PodStatus.hostIPs', { patchStrategy: 'merge', patchMergeKey: 'ip' }],
  ['core.PodStatus.podIPs', mergedBy('ip')],
  [
    'core.PodStatus.resourceClaimStatuses',
    { listType: 'map', listMapKeys: ['name'], patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' },
  ],
  ['core.ServiceStatus.conditions', mergedBy('type')],
  [
    'core.ServiceSpec.ports',
    { listType: 'map', listMapKeys: ['port', 'protocol'], patchStrategy: 'merge', patchMergeKey: 'port' },
  ],
  ['core.ServiceSpec.selector', { mapType: 'atomic' }],
  ['core.ServiceAccount.secrets', mergedBy('name')],
  ['core.NodeSpec.podCIDRs', { listType: 'set', patchStrategy: 'merge' }],
  ['core.NodeStatus.conditions', mergedBy('type')],
  ['core.NodeStatus.addresses', mergedBy('type')],
  ['core.NamespaceStatus.conditions', mergedBy('type')],
  ['discovery.Endpoint.addresses', { listType: 'set' }],
  ['core.ServicePort.protocol', { default: 'TCP', ...oneOf('TCP', 'UDP', 'SCTP') }],
  ['core.ContainerPort.protocol', { default: 'TCP', ...oneOf('TCP', 'UDP', 'SCTP') }],
  ['core.EndpointPort.protocol', oneOf('TCP', 'UDP', 'SCTP')],
  ['discovery.EndpointPort.protocol', oneOf('TCP', 'UDP', 'SCTP')],
  ['discovery.EndpointSlice.addressType', oneOf('IPv4', 'IPv6', 'FQDN')],
  ['core.ServiceSpec.type', oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName')],
  ['core.ServiceSpec.sessionAffinity', oneOf('None', 'ClientIP')],
  ['core.ServiceSpec.externalTrafficPolicy', oneOf('Cluster', 'Local')],
  ['core.ServiceSpec.internalTrafficPolicy', oneOf('Cluster', 'Local')],
  ['core.ServiceSpec.ipFamilyPolicy', oneOf('SingleStack', 'PreferDualStack', 'RequireDualStack')],
  ['core.NamespaceStatus.phase', oneOf('Active', 'Terminating')],
  ['core.PodSpec.restartPolicy', oneOf('Always', 'OnFailure', 'Never')],
  ['core.PodSpec.dnsPolicy', oneOf('ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None')],
  ['core.PodStatus.phase', oneOf('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown')],
  ['core.PodStatus.qosClass', oneOf('Guaranteed', 'Burstable', 'BestEffort')],
  ['core.Container.imagePullPolicy', oneOf('Always', 'IfNotPresent', 'Never')],
  ['core.Container.terminationMessagePolicy', oneOf('File', 'FallbackToLogsOnError')],
  ['core.Taint.effect', oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute')],
  ['core.LocalObjectReference.name', { default: '' }],
])

function mergedBy(key: string): FieldFacts {
  return { listType: 'map', listMapKeys: [key], patchStrategy: 'merge', patchMergeKey: key }
}

/** For `kubectl explain`: what else is refused, and in which words, is up to the validation of the kind. */
function oneOf(...values: readonly string[]): FieldFacts {
  return { enum: values }
}
