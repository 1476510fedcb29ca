import { ephemeralClaimName } from '../../../api/core/pods/pod-references.ts'
import type {
  ConfigMapProjection,
  DownwardAPIVolumeFile,
  Volume,
  VolumeProjection,
} from '../../../api/types/core-v1.ts'
import { rootCertificateKey, rootCertificateMap, tokenKey } from '../../companions/tokens/wanted-tokens.ts'
import { hostFieldRef } from './downward.ts'
import { type Rename, withHostName } from './renaming.ts'

interface VolumeUser {
  readonly podName: string
  readonly tokenSecret: string
}

/**
 * A volume with the same objects under their names on the host; tokens come from the Pod's own Secret. An ephemeral volume becomes
 * the copy of the claim that the virtual cluster makes for it.
 */
export function hostVolume(volume: Volume, rename: Rename, { podName, tokenSecret }: VolumeUser): Volume {
  const { configMap, secret, projected, persistentVolumeClaim, downwardAPI, csi, ephemeral, ...others } = volume
  if (ephemeral) {
    const claimName = rename('PersistentVolumeClaim', ephemeralClaimName(podName, volume.name), 'its own')
    return { ...others, persistentVolumeClaim: { claimName } }
  }
  return {
    ...volume,
    ...(configMap && { configMap: withHostName(configMap, 'ConfigMap', rename) }),
    ...(secret?.secretName && { secret: { ...secret, secretName: rename('Secret', secret.secretName) } }),
    ...(projected && {
      projected: {
        ...projected,
        sources: projected.sources?.map((source) => hostProjection(source, rename, tokenSecret)) ?? null,
      },
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

function hostProjection(source: VolumeProjection, rename: Rename, tokenSecret: string): VolumeProjection {
  const { serviceAccountToken, configMap } = source
  if (serviceAccountToken) {
    const items = [{ key: tokenKey(serviceAccountToken), path: serviceAccountToken.path }]
    return { secret: { name: tokenSecret, items } }
  }
  return configMap?.name === rootCertificateMap
    ? rootCertificate(configMap, tokenSecret)
    : renamedProjection(source, rename)
}

/** The host has a ConfigMap of the same name, which is about another cluster. */
function rootCertificate({ items }: ConfigMapProjection, tokenSecret: string): VolumeProjection {
  const whole = [{ key: rootCertificateKey, path: rootCertificateKey }]
  return { secret: { name: tokenSecret, items: items ?? whole } }
}

function renamedProjection(source: VolumeProjection, rename: Rename): VolumeProjection {
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
