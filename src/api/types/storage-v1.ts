import type { KubeObject } from '../object.ts'
import type { PersistentVolumeSpec, TopologySelectorTerm } from './core-v1.ts'
import type { LabelSelector } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface CSIDriver extends KubeObject {
  readonly spec: CSIDriverSpec
}

export interface CSIDriverSpec {
  readonly attachRequired?: boolean
  readonly podInfoOnMount?: boolean
  readonly volumeLifecycleModes?: readonly string[]
  readonly storageCapacity?: boolean
  readonly fsGroupPolicy?: string
  readonly tokenRequests?: readonly TokenRequest[]
  readonly requiresRepublish?: boolean
  readonly seLinuxMount?: boolean
}

export interface CSINode extends KubeObject {
  readonly spec: CSINodeSpec
}

export interface CSINodeDriver {
  readonly name: string
  readonly nodeID: string
  readonly topologyKeys: readonly string[] | null
  readonly allocatable?: VolumeNodeResources
}

export interface CSINodeSpec {
  readonly drivers: readonly CSINodeDriver[] | null
}

export interface CSIStorageCapacity extends KubeObject {
  readonly nodeTopology?: LabelSelector
  readonly storageClassName: string
  readonly capacity?: string | number
  readonly maximumVolumeSize?: string | number
}

export interface StorageClass extends KubeObject {
  readonly provisioner: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly reclaimPolicy?: string
  readonly mountOptions?: readonly string[]
  readonly allowVolumeExpansion?: boolean
  readonly volumeBindingMode?: string
  readonly allowedTopologies?: readonly TopologySelectorTerm[]
}

export interface TokenRequest {
  readonly audience: string
  readonly expirationSeconds?: number
}

export interface VolumeAttachment extends KubeObject {
  readonly spec: VolumeAttachmentSpec
  readonly status: VolumeAttachmentStatus
}

export interface VolumeAttachmentSource {
  readonly persistentVolumeName?: string
  readonly inlineVolumeSpec?: PersistentVolumeSpec
}

export interface VolumeAttachmentSpec {
  readonly attacher: string
  readonly source: VolumeAttachmentSource
  readonly nodeName: string
}

export interface VolumeAttachmentStatus {
  readonly attached: boolean
  readonly attachmentMetadata?: Readonly<Record<string, string>>
  readonly attachError?: VolumeError
  readonly detachError?: VolumeError
}

export interface VolumeError {
  readonly time: string | null
  readonly message?: string
}

export interface VolumeNodeResources {
  readonly count?: number
}
