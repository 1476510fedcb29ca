import type {
  DownwardAPIVolumeFile,
  EphemeralVolumeSource,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from '../../types/core-v1.ts'
import { pullPolicyOf } from '../pull-policy.ts'
import { withClaimSpecDefaults } from './claim-defaults.ts'
import { withStorageDefaults } from './storage-defaults.ts'

const defaultFileMode = 0o644
const tokenLifetimeSeconds = 3600

/** A volume without a source is an empty directory. */
export function withVolumeDefaults(volume: Volume): Volume {
  if (Object.keys(volume).every((member) => member === 'name')) return { ...volume, emptyDir: {} }
  const { secret, configMap, downwardAPI, projected, ephemeral, image } = volume
  return {
    ...withStorageDefaults(volume),
    ...(secret && { secret: withFileMode(secret) }),
    ...(configMap && { configMap: withFileMode(configMap) }),
    ...(downwardAPI && { downwardAPI: withFileMode(withFieldVersions(downwardAPI)) }),
    ...(projected && { projected: withFileMode(withProjectionDefaults(projected)) }),
    ...(ephemeral && { ephemeral: withClaimTemplate(ephemeral) }),
    ...(image && { image: { pullPolicy: pullPolicyOf(image.reference ?? ''), ...image } }),
  }
}

function withFileMode<T extends object>(source: T): T {
  return { defaultMode: defaultFileMode, ...source }
}

function withFieldVersions<T extends { readonly items?: readonly DownwardAPIVolumeFile[] }>(source: T): T {
  const items = source.items?.map((item) =>
    item.fieldRef === undefined ? item : { ...item, fieldRef: { apiVersion: 'v1', ...item.fieldRef } },
  )
  return items === undefined ? source : { ...source, items }
}

function withProjectionDefaults(source: ProjectedVolumeSource): ProjectedVolumeSource {
  return source.sources ? { ...source, sources: source.sources.map(withProjection) } : source
}

function withProjection(projection: VolumeProjection): VolumeProjection {
  const { serviceAccountToken: token, downwardAPI } = projection
  return {
    ...projection,
    ...(token && { serviceAccountToken: { expirationSeconds: tokenLifetimeSeconds, ...token } }),
    ...(downwardAPI && { downwardAPI: withFieldVersions(downwardAPI) }),
  }
}

function withClaimTemplate(source: EphemeralVolumeSource): EphemeralVolumeSource {
  const { volumeClaimTemplate: template } = source
  if (template === undefined) return source
  return { ...source, volumeClaimTemplate: { ...template, spec: withClaimSpecDefaults(template.spec) } }
}
