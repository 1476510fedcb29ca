import type { DownwardAPIVolumeFile, Volume, VolumeProjection } from '../../../api/types/core-v1.ts'
import { hostFieldRef } from './downward.ts'
import { type Rename, withHostName } from './renaming.ts'

/** A volume of the same objects, under their names on the host. */
export function hostVolume(volume: Volume, rename: Rename): Volume {
  const { configMap, secret, projected, persistentVolumeClaim, downwardAPI, csi } = volume
  return {
    ...volume,
    ...(configMap && { configMap: withHostName(configMap, 'ConfigMap', rename) }),
    ...(secret?.secretName && { secret: { ...secret, secretName: rename('Secret', secret.secretName) } }),
    ...(projected && {
      projected: { ...projected, sources: projected.sources?.map((source) => hostProjection(source, rename)) ?? null },
    }),
    ...(persistentVolumeClaim && {
      persistentVolumeClaim: {
        ...persistentVolumeClaim,
        claimName: rename('PersistentVolumeClaim', persistentVolumeClaim.claimName),
      },
    }),
    ...(downwardAPI?.items && { downwardAPI: { ...downwardAPI, items: downwardAPI.items.map(hostFile) } }),
    ...(csi?.nodePublishSecretRef && {
      csi: { ...csi, nodePublishSecretRef: withHostName(csi.nodePublishSecretRef, 'Secret', rename) },
    }),
  }
}

function hostProjection(source: VolumeProjection, rename: Rename): VolumeProjection {
  const { configMap, secret, downwardAPI } = source
  return {
    ...source,
    ...(configMap && { configMap: withHostName(configMap, 'ConfigMap', rename) }),
    ...(secret && { secret: withHostName(secret, 'Secret', rename) }),
    ...(downwardAPI?.items && { downwardAPI: { ...downwardAPI, items: downwardAPI.items.map(hostFile) } }),
  }
}

function hostFile(file: DownwardAPIVolumeFile): DownwardAPIVolumeFile {
  return file.fieldRef ? { ...file, fieldRef: hostFieldRef(file.fieldRef) } : file
}
