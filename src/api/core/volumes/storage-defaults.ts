import type { PersistentVolumeSource, VolumeSource } from '../../types/core-v1.ts'

type Shared = Pick<VolumeSource & PersistentVolumeSource, 'hostPath' | 'azureDisk'>
type Alike = {
  readonly rbd?: { readonly pool?: string; readonly user?: string; readonly keyring?: string }
  readonly iscsi?: { readonly iscsiInterface?: string }
  readonly scaleIO?: { readonly storageMode?: string; readonly fsType?: string }
}

/** Defaults of storage drivers, for Pods and PersistentVolumes alike. */
export function withStorageDefaults<T extends Shared & Alike>(sources: T): T {
  const { hostPath, rbd, iscsi, azureDisk, scaleIO } = sources
  return {
    ...sources,
    ...(hostPath && { hostPath: { type: '', ...hostPath } }),
    ...(rbd && { rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring', ...rbd } }),
    ...(iscsi && { iscsi: { iscsiInterface: 'default', ...iscsi } }),
    ...(azureDisk && {
      azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared', ...azureDisk },
    }),
    ...(scaleIO && { scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs', ...scaleIO } }),
  }
}
