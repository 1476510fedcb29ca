import { allErrors, type FieldError, invalidField } from '../../field-error.ts'
import type {
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  LocalVolumeSource,
  PersistentVolumeSource,
  SecretReference,
} from '../../types/core-v1.ts'
import { checkDriverName } from '../driver-name.ts'
import { checkLabelName, checkSubdomain } from '../field-checks.ts'
import { checkNoParent } from '../path-checks.ts'
import { checkPersistentIscsi } from './iscsi-validation.ts'
import { missingMembers } from './missing-members.ts'
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

export type PersistentSourceName = keyof PersistentVolumeSource

export interface PersistentSourceRule {
  readonly name: PersistentSourceName
  /** The name in errors about the source, if it differs. */
  readonly told?: string
  /** The name in errors about too many sources, if it differs. */
  readonly refused?: string
  /** `volume` is the name of the PersistentVolume. */
  readonly check: (field: string, sources: PersistentVolumeSource, volume: string) => readonly FieldError[]
}

type Names = Pick<PersistentSourceRule, 'told' | 'refused'>

function source<Name extends PersistentSourceName>(
  name: Name,
  check: (field: string, source: NonNullable<PersistentVolumeSource[Name]>, volume: string) => readonly FieldError[],
  names: Names = {},
): PersistentSourceRule {
  return {
    name,
    ...names,
    check: (field, sources, volume) => {
      const given = sources[name]
      return given === undefined || given === null ? [] : check(field, given, volume)
    },
  }
}

/** In the order in which Kubernetes checks them, which differs from that for Pods. */
export const persistentSources: readonly PersistentSourceRule[] = [
  source('hostPath', checkHostPath),
  source(
    'gcePersistentDisk',
    (field, from) => allErrors(missingMembers(field, from, 'pdName'), checkPartition(field, from.partition)),
    { told: 'persistentDisk' },
  ),
  source('awsElasticBlockStore', (field, from) =>
    allErrors(missingMembers(field, from, 'volumeID'), checkPartition(field, from.partition)),
  ),
  source('glusterfs', checkGlusterfs),
  source('flocker', checkFlocker),
  source('nfs', checkNfs),
  source('rbd', (field, from) => missingMembers(field, from, 'monitors', 'image')),
  source('quobyte', checkQuobyte),
  source('cephfs', (field, from) => missingMembers(field, from, 'monitors'), { refused: 'cephFS' }),
  source('iscsi', checkPersistentIscsi),
  source('cinder', (field, from) =>
    allErrors(missingMembers(field, from, 'volumeID'), missingReference(`${field}.secretRef`, from.secretRef)),
  ),
  source('fc', checkFibreChannel),
  source('flexVolume', checkFlex),
  source('azureFile', (field, from) =>
    allErrors(
      missingMembers(field, from, 'secretName', 'shareName'),
      from.secretNamespace === undefined ? [] : missingMembers(field, from, 'secretNamespace'),
    ),
  ),
  source('vsphereVolume', (field, from) => missingMembers(field, from, 'volumePath')),
  source('photonPersistentDisk', (field, from) => missingMembers(field, from, 'pdID')),
  source('portworxVolume', (field, from) => missingMembers(field, from, 'volumeID')),
  source('azureDisk', checkAzureDisk),
  source('scaleIO', (field, from) => missingMembers(field, from, 'gateway', 'system', 'volumeName')),
  source('local', checkLocal),
  source('storageos', (field, from) =>
    allErrors(checkStorageOs(field, from), missingReference(`${field}.secretRef`, from.secretRef)),
  ),
  source('csi', checkPersistentCsi),
]

function checkGlusterfs(field: string, source: GlusterfsPersistentVolumeSource): readonly FieldError[] {
  const { endpointsNamespace: namespace } = source
  const path = `${field}.endpointsNamespace`
  return allErrors(
    missingMembers(field, source, 'endpoints', 'path'),
    namespace === ''
      ? [invalidField(path, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')]
      : namespace === undefined
        ? []
        : checkLabelName(path, namespace),
  )
}

function checkLocal(field: string, source: LocalVolumeSource): readonly FieldError[] {
  return source.path === '' ? missingMembers(field, source, 'path') : checkNoParent(`${field}.path`, source.path)
}

function checkPersistentCsi(field: string, source: CSIPersistentVolumeSource): readonly FieldError[] {
  const secrets = [
    ...(['controllerPublishSecretRef', 'controllerExpandSecretRef'] as const),
    ...(['nodePublishSecretRef', 'nodeExpandSecretRef'] as const),
  ]
  return allErrors(
    checkDriverName(`${field}.driver`, source.driver),
    missingMembers(field, source, 'volumeHandle'),
    secrets.flatMap((secret) => checkSecret(`${field}.${secret}`, source[secret])),
  )
}

function checkSecret(field: string, reference: SecretReference | undefined): readonly FieldError[] {
  if (reference === undefined) return []
  const { name = '', namespace = '' } = reference
  return allErrors(
    name === '' ? missingMembers(field, reference, 'name') : checkSubdomain(`${field}.name`, name),
    namespace === '' ? missingMembers(field, reference, 'namespace') : checkLabelName(`${field}.namespace`, namespace),
  )
}

function missingReference(field: string, reference: SecretReference | undefined): readonly FieldError[] {
  return reference === undefined ? [] : missingMembers(field, reference, 'name', 'namespace')
}
