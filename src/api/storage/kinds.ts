import type { Kind } from '../kind.ts'
import { csiDriver } from './csi-driver.ts'
import { csiNode } from './csi-node.ts'
import { csiStorageCapacity } from './csi-storage-capacity.ts'
import { storageClass } from './storage-class.ts'
import { volumeAttachment } from './volume-attachment.ts'

export function storageKinds(): readonly Kind[] {
  return [csiDriver, csiNode, csiStorageCapacity, storageClass, volumeAttachment]
}
