import { claimProtection, volumeProtection } from '../../api/metadata/finalizers.ts'
import type { KubeObject } from '../../api/object.ts'
import { type AdmissionPlugin, isCore } from './contract.ts'

/**
 * Storage that is in use stays after its deletion is requested. Only used where a controller removes the finalizer
 * later.
 */
export const storageProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: (kind) => isCore(kind, 'PersistentVolumeClaim') || isCore(kind, 'PersistentVolume'),
  mutate: (object, { kind, old }) => {
    if (old !== undefined) return object
    return withFinalizer(object, kind.kind === 'PersistentVolume' ? volumeProtection : claimProtection)
  },
}

function withFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const { finalizers = [] } = object.metadata
  if (finalizers.includes(finalizer)) return object
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } }
}
