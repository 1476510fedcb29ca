import type { PersistentVolume, Volume } from '../../types/core-v1.ts'
import { termWarnings } from '../nodes/node-label-warnings.ts'
import { claimSpecWarnings } from './claim-warnings.ts'

const deprecatedSources = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const

const deprecatedAnnotations = [
  ['volume.beta.kubernetes.io/storage-class', 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const

/** Storage types that are no longer served. */
export function volumeWarnings(field: string, volume: Volume): readonly string[] {
  const claim = volume.ephemeral?.volumeClaimTemplate
  return [
    ...deprecatedSources
      .filter(([member]) => volume[member] !== undefined)
      .map(([, shown, text]) => `${field}.${shown}: ${text}`),
    ...(claim === undefined ? [] : claimSpecWarnings(`${field}.ephemeral.volumeClaimTemplate.spec`, claim.spec)),
  ]
}

/** For PersistentVolumes, fewer types are gone. */
const deprecatedOfVolumes = new Set(['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd'])

export function persistentVolumeWarnings({ metadata, spec }: PersistentVolume): readonly string[] {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? []
  const members: Readonly<Record<string, unknown>> = { ...spec }
  return [
    ...deprecatedAnnotations
      .filter(([key]) => metadata.annotations?.[key] !== undefined)
      .map(([key, text]) => `metadata.annotations[${key}]: ${text}`),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...terms.flatMap((term, index) => termWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term)),
    ...deprecatedSources
      .filter(([member]) => deprecatedOfVolumes.has(member) && members[member] !== undefined)
      .map(([, shown, text]) => `spec.${shown}: ${text}`),
  ]
}
