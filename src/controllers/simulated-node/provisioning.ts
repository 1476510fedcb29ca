import { classOf } from '../../api/core/volumes/volume-columns.ts'
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { StorageClass } from '../../api/types/storage-v1.ts'

export const simulatedClassName = 'simulated'

/** A name of the form that volume drivers have. */
const provisioner = 'simulated.tenant.internal'
const provisionedBy = 'pv.kubernetes.io/provisioned-by'

/** Claims without a class get this one. */
export const simulatedClass: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name: simulatedClassName,
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
  provisioner,
}

export function classNameOf({ spec, metadata }: PersistentVolumeClaim): string {
  return classOf(spec.storageClassName, metadata.annotations)
}

/** The volume for a claim; undefined if it has one, or waits for another provisioner. */
export function simulatedVolumeFor(
  claim: PersistentVolumeClaim,
  found: StorageClass | undefined,
): PersistentVolume | undefined {
  const { namespace = '', name = '', uid = '', deletionTimestamp } = claim.metadata
  const { volumeName = '', selector, accessModes, volumeMode, resources } = claim.spec
  if (found?.provisioner !== provisioner || deletionTimestamp !== undefined) return undefined
  if (volumeName !== '' || selector !== undefined) return undefined
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${uid}`, annotations: { [provisionedBy]: provisioner } },
    spec: {
      capacity: { storage: resources.requests?.storage ?? '0' },
      ...(accessModes && { accessModes }),
      ...(volumeMode && { volumeMode }),
      ...(found.mountOptions && { mountOptions: found.mountOptions }),
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      persistentVolumeReclaimPolicy: found.reclaimPolicy ?? 'Delete',
      storageClassName: classNameOf(claim),
      csi: { driver: provisioner, volumeHandle: uid },
    },
    status: {},
  }
}

/** Whether a volume created here must be deleted because its claim is gone. */
export function isDiscarded({ metadata, spec, status }: PersistentVolume): boolean {
  if (metadata.annotations?.[provisionedBy] !== provisioner || metadata.deletionTimestamp !== undefined) return false
  return status.phase === 'Released' && spec.persistentVolumeReclaimPolicy === 'Delete'
}
