/** Descriptions of what decides where pods run and which volumes they get. */
export const placementTexts: Readonly<Record<string, string>> = {
  'core.Affinity.nodeAffinity': 'Nodes that the pod needs or prefers.',
  'core.Affinity.podAffinity': 'Pods that the pod is to run near to.',
  'core.Affinity.podAntiAffinity': 'Pods that the pod is to run apart from.',
  'core.NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'What a node must have for the pod to be placed there. A pod that runs stays when its node changes.',
  'core.PodAffinityTerm.labelSelector': 'Labels of the pods that are meant. Absent, it selects none.',
  'core.PodAffinityTerm.namespaceSelector':
    'Labels of the namespaces whose pods are meant, besides those in namespaces. Absent, and with none named, it means the namespace of the pod.',
  'core.TopologySpreadConstraint.labelSelector': 'Labels of the pods that are counted.',
  'core.PersistentVolumeSpec.claimRef': 'The claim that has the volume, or for which it is kept free.',
  'core.PersistentVolumeSpec.nodeAffinity': 'Nodes that can reach the volume. Pods that use it are placed there.',
  'core.VolumeNodeAffinity.required': 'What a node must have to reach the volume.',
  'core.PersistentVolumeClaimSpec.selector': 'Labels of the volumes that may be bound to the claim.',
  'core.PersistentVolumeClaimSpec.resources': 'How much storage the volume must have at least. It can be raised later.',
  'core.PersistentVolumeClaimSpec.dataSource':
    'What the new volume is filled with: a snapshot, or another claim of the namespace.',
  'core.PersistentVolumeClaimSpec.dataSourceRef':
    'What the new volume is filled with, where it may also be an object of a kind that users have brought.',
  'core.EphemeralVolumeSource.volumeClaimTemplate':
    'The claim that is made with the pod and deleted with it. It is called `<pod>-<volume>`.',
  'core.CSIPersistentVolumeSource.controllerPublishSecretRef': 'Secret that the driver needs to attach the volume.',
  'core.CSIPersistentVolumeSource.nodeStageSecretRef': 'Secret that the driver needs to prepare the volume on a node.',
  'core.CSIPersistentVolumeSource.nodePublishSecretRef': 'Secret that the driver needs to mount the volume.',
  'core.CSIPersistentVolumeSource.controllerExpandSecretRef': 'Secret that the driver needs to enlarge the volume.',
  'core.CSIPersistentVolumeSource.nodeExpandSecretRef': 'Secret that the driver needs to enlarge the volume on a node.',
  'core.CSIVolumeSource.nodePublishSecretRef':
    'Secret in the namespace of the pod that the driver needs to mount the volume.',
  'core.ResourceQuotaSpec.scopeSelector': 'Which objects count, by scopes with conditions, besides scopes.',
  'storage.CSIStorageCapacity.nodeTopology': 'Labels of the nodes from which the storage can be reached.',
  'storage.VolumeAttachmentSpec.source': 'The volume that is to be attached.',
  'storage.VolumeAttachmentStatus.attachError': 'Why the volume could not be attached the last time.',
  'storage.VolumeAttachmentStatus.detachError': 'Why the volume could not be detached the last time.',
  'node.RuntimeClass.overhead': 'What a pod of this class needs beyond its containers. Counted when it is placed.',
  'node.RuntimeClass.scheduling': 'Which nodes can run the class. All can, if it is absent.',
}
