/** Descriptions of fields that decide where pods run and which volumes they get. */
export const placementTexts: Readonly<Record<string, string>> = {
  'core.Affinity.nodeAffinity': 'Rules for the nodes that the pod requires or prefers.',
  'core.Affinity.podAffinity': 'Rules for other pods that the pod should run close to.',
  'core.Affinity.podAntiAffinity': 'Rules for other pods that the pod should run apart from.',
  'core.NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'Requirements that a node must meet for the pod to be scheduled on it. A running pod stays even if its node no longer meets them.',
  'core.PodAffinityTerm.labelSelector': 'Selects the other pods by their labels. If absent, it selects none.',
  'core.PodAffinityTerm.namespaceSelector':
    'Selects, by label, the namespaces of the other pods, in addition to those in namespaces. If both are absent, the namespace of the pod is used.',
  'core.TopologySpreadConstraint.labelSelector': 'Selects the pods to count by their labels.',
  'core.PersistentVolumeSpec.claimRef': 'The claim that the volume is bound to or reserved for.',
  'core.PersistentVolumeSpec.nodeAffinity':
    'Nodes that can access the volume. Pods that use the volume are scheduled on them.',
  'core.VolumeNodeAffinity.required': 'Requirements that a node must meet to access the volume.',
  'core.PersistentVolumeClaimSpec.selector': 'Selects, by label, the volumes that may be bound to the claim.',
  'core.PersistentVolumeClaimSpec.resources': 'The minimum size of the volume. It can be increased later.',
  'core.PersistentVolumeClaimSpec.dataSource':
    'Source of the initial content of a new volume: a snapshot, or another claim in the same namespace.',
  'core.PersistentVolumeClaimSpec.dataSourceRef':
    'Source of the initial content of a new volume. Unlike dataSource, it can also be an object of a custom kind.',
  'core.EphemeralVolumeSource.volumeClaimTemplate':
    'Template of the claim that is created and deleted together with the pod. The name of the claim is `<pod>-<volume>`.',
  'core.CSIPersistentVolumeSource.controllerPublishSecretRef': 'Secret that the driver uses to attach the volume.',
  'core.CSIPersistentVolumeSource.nodeStageSecretRef': 'Secret that the driver uses to prepare the volume on a node.',
  'core.CSIPersistentVolumeSource.nodePublishSecretRef': 'Secret that the driver uses to mount the volume.',
  'core.CSIPersistentVolumeSource.controllerExpandSecretRef': 'Secret that the driver uses to expand the volume.',
  'core.CSIPersistentVolumeSource.nodeExpandSecretRef': 'Secret that the driver uses to expand the volume on a node.',
  'core.CSIVolumeSource.nodePublishSecretRef':
    'Secret in the namespace of the pod that the driver uses to mount the volume.',
  'core.ResourceQuotaSpec.scopeSelector':
    'Limits the quota to objects in certain scopes, by conditions, in addition to scopes.',
  'storage.CSIStorageCapacity.nodeTopology': 'Labels of the nodes that can access the storage.',
  'storage.VolumeAttachmentSpec.source': 'The volume to attach.',
  'storage.VolumeAttachmentStatus.attachError': 'The most recent error in attaching the volume.',
  'storage.VolumeAttachmentStatus.detachError': 'The most recent error in detaching the volume.',
  'node.RuntimeClass.overhead':
    'Resources that a pod of this class needs in addition to those of its containers. The scheduler counts them.',
  'node.RuntimeClass.scheduling': 'Nodes that support this class. If absent, all nodes do.',
}
