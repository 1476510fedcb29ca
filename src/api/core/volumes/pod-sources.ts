import { allErrors, type FieldError, forbiddenField, invalidField } from '../../field-error.ts'
import { validateSubdomain } from '../../names.ts'
import { nanosOf } from '../../quantity.ts'
import type { CSIVolumeSource, EmptyDirVolumeSource, LocalObjectReference, VolumeSource } from '../../types/core-v1.ts'
import { checkDriverName } from '../driver-name.ts'
import { checkEach, checkOneOf } from '../field-checks.ts'
import { checkInnerPath } from '../path-checks.ts'
import { checkEphemeral } from './ephemeral-volume-validation.ts'
import { checkDownward, checkItems } from './file-checks.ts'
import { checkIscsi } from './iscsi-validation.ts'
import { missingMembers } from './missing-members.ts'
import { checkProjected } from './projected-validation.ts'
import { checkFileMode } from './ranges.ts'
import {
  checkAzureDisk,
  checkFibreChannel,
  checkFlex,
  checkFlocker,
  checkHostPath,
  checkNfs,
  checkPartition,
  checkQuobyte,
  checkStorageOs,
} from './storage-checks.ts'

export type SourceName = keyof VolumeSource

export interface SourceRule {
  readonly name: SourceName
  /** The name in errors about the source, if it differs. */
  readonly told?: string
  /** The name in errors about too many sources, if it differs. */
  readonly refused?: string
  readonly check: (field: string, volume: VolumeSource) => readonly FieldError[]
}

type Names = Pick<SourceRule, 'told' | 'refused'>

function source<Name extends SourceName>(
  name: Name,
  check: (field: string, source: NonNullable<VolumeSource[Name]>) => readonly FieldError[],
  names: Names = {},
): SourceRule {
  return {
    name,
    ...names,
    check: (field, volume) => {
      const given = volume[name]
      return given === undefined || given === null ? [] : check(field, given)
    },
  }
}

/** In the order in which Kubernetes checks them. */
export const podSources: readonly SourceRule[] = [
  source('emptyDir', checkEmptyDir),
  source('hostPath', checkHostPath),
  source('gitRepo', (field, from) =>
    allErrors(missingMembers(field, from, 'repository'), checkInnerPath(`${field}.directory`, from.directory ?? '')),
  ),
  source(
    'gcePersistentDisk',
    (field, from) => allErrors(missingMembers(field, from, 'pdName'), checkPartition(field, from.partition)),
    { told: 'persistentDisk' },
  ),
  source('awsElasticBlockStore', (field, from) =>
    allErrors(missingMembers(field, from, 'volumeID'), checkPartition(field, from.partition)),
  ),
  source('secret', (field, from) =>
    allErrors(
      missingMembers(field, from, 'secretName'),
      checkFileMode(`${field}.defaultMode`, from.defaultMode),
      checkItems(`${field}.items`, from.items ?? []),
    ),
  ),
  source('nfs', checkNfs),
  source('iscsi', checkIscsi),
  source('glusterfs', (field, from) => missingMembers(field, from, 'endpoints', 'path')),
  source('flocker', checkFlocker),
  source('persistentVolumeClaim', (field, from) => missingMembers(field, from, 'claimName')),
  source('rbd', (field, from) => missingMembers(field, from, 'monitors', 'image')),
  source('cinder', (field, from) =>
    allErrors(missingMembers(field, from, 'volumeID'), missingName(`${field}.secretRef`, from.secretRef)),
  ),
  source('cephfs', (field, from) => missingMembers(field, from, 'monitors'), { refused: 'cephFS' }),
  source('quobyte', checkQuobyte),
  source('downwardAPI', checkDownward, { refused: 'downwarAPI' }),
  source('fc', checkFibreChannel),
  source('flexVolume', checkFlex),
  source('configMap', (field, from) =>
    allErrors(
      missingMembers(field, from, 'name'),
      checkFileMode(`${field}.defaultMode`, from.defaultMode),
      checkItems(`${field}.items`, from.items ?? []),
    ),
  ),
  source('azureFile', (field, from) => missingMembers(field, from, 'secretName', 'shareName')),
  source('vsphereVolume', (field, from) => missingMembers(field, from, 'volumePath')),
  source('photonPersistentDisk', (field, from) => missingMembers(field, from, 'pdID')),
  source('portworxVolume', (field, from) => missingMembers(field, from, 'volumeID')),
  source('azureDisk', checkAzureDisk),
  source('storageos', (field, from) =>
    allErrors(checkStorageOs(field, from), missingName(`${field}.secretRef`, from.secretRef)),
  ),
  source('projected', checkProjected),
  source('scaleIO', (field, from) => missingMembers(field, from, 'gateway', 'system', 'volumeName')),
  source('csi', checkCsi),
  source('ephemeral', checkEphemeral),
  source('image', (field, { pullPolicy }) =>
    checkOneOf(`${field}.pullPolicy`, pullPolicy, ['Always', 'IfNotPresent', 'Never']),
  ),
]

function checkEmptyDir(field: string, { sizeLimit }: EmptyDirVolumeSource): readonly FieldError[] {
  if (sizeLimit === undefined || nanosOf(sizeLimit) >= 0n) return []
  return [forbiddenField(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
}

function checkCsi(field: string, { driver, nodePublishSecretRef }: CSIVolumeSource): readonly FieldError[] {
  const { name = '' } = nodePublishSecretRef ?? {}
  return allErrors(
    checkDriverName(`${field}.driver`, driver),
    name === ''
      ? missingName(`${field}.nodePublishSecretRef`, nodePublishSecretRef)
      : checkEach(`${field}.name`, name, validateSubdomain(name)),
  )
}

function missingName(field: string, reference: LocalObjectReference | undefined): readonly FieldError[] {
  return reference === undefined ? [] : missingMembers(field, reference, 'name')
}

/** The claim of an ephemeral volume is named after the Pod and the volume. */
export function checkClaimName(field: string, pod: string, volume: string): readonly FieldError[] {
  const name = `${pod}-${volume}`
  return validateSubdomain(name).map((problem) =>
    invalidField(`${field}.name`, volume, `PVC name "${name}": ${problem}`),
  )
}
