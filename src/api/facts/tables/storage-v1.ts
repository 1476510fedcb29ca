/** k8s.io.api.storage.v1 */
export const storageV1 = `
CSIDriver
  1 metadata: meta.ObjectMeta
  2 spec: CSIDriverSpec! (required)

CSIDriverList
  1 metadata: meta.ListMeta
  2 items: CSIDriver[]!

CSIDriverSpec
  1 attachRequired: bool?
  2 podInfoOnMount: bool?
  3 volumeLifecycleModes: string[] (set, go []v1.VolumeLifecycleMode)
  4 storageCapacity: bool?
  5 fsGroupPolicy: string? (go v1.FSGroupPolicy)
  6 tokenRequests: TokenRequest[]
  7 requiresRepublish: bool?
  8 seLinuxMount: bool?

CSINode
  1 metadata: meta.ObjectMeta
  2 spec: CSINodeSpec! (required)

CSINodeDriver
  1 name: string! (required)
  2 nodeID: string! (required)
  3 topologyKeys: string[]!
  4 allocatable: VolumeNodeResources

CSINodeList
  1 metadata: meta.ListMeta
  2 items: CSINode[]!

CSINodeSpec
  1 drivers: CSINodeDriver[]! (required, merged by name)

CSIStorageCapacity
  1 metadata: meta.ObjectMeta
  2 nodeTopology: meta.LabelSelector
  3 storageClassName: string! (required)
  4 capacity: resource.Quantity
  5 maximumVolumeSize: resource.Quantity

CSIStorageCapacityList
  1 metadata: meta.ListMeta
  2 items: CSIStorageCapacity[]!

StorageClass
  1 metadata: meta.ObjectMeta
  2 provisioner: string! (required)
  3 parameters: map string
  4 reclaimPolicy: string? (one of Delete Recycle Retain, go v1.PersistentVolumeReclaimPolicy)
  5 mountOptions: string[]
  6 allowVolumeExpansion: bool?
  7 volumeBindingMode: string? (one of Immediate WaitForFirstConsumer, go v1.VolumeBindingMode)
  8 allowedTopologies: core.TopologySelectorTerm[]

StorageClassList
  1 metadata: meta.ListMeta
  2 items: StorageClass[]!

TokenRequest
  1 audience: string! (required)
  2 expirationSeconds: int64?

VolumeAttachment
  1 metadata: meta.ObjectMeta
  2 spec: VolumeAttachmentSpec! (required)
  3 status: VolumeAttachmentStatus!

VolumeAttachmentList
  1 metadata: meta.ListMeta
  2 items: VolumeAttachment[]!

VolumeAttachmentSource
  1 persistentVolumeName: string?
  2 inlineVolumeSpec: core.PersistentVolumeSpec

VolumeAttachmentSpec
  1 attacher: string! (required)
  2 source: VolumeAttachmentSource! (required)
  3 nodeName: string! (required)

VolumeAttachmentStatus
  1 attached: bool! (required)
  2 attachmentMetadata: map string
  3 attachError: VolumeError
  4 detachError: VolumeError

VolumeError
  1 time: meta.Time!
  2 message: string

VolumeNodeResources
  1 count: int32?
`
