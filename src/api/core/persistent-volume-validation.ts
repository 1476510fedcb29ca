import { deepEqual } from '../../base/equal.ts'
import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type { PersistentVolume, PersistentVolumeSpec } from '../types/core-v1.ts'
import { checkPositiveQuantity, validateAccessModes, volumeModes } from './claim-validation.ts'
import { checkDriverName } from './driver-name.ts'
import { checkSubdomain } from './field-checks.ts'

const sources = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'hostPath',
  'glusterfs',
  'nfs',
  'rbd',
  'iscsi',
  'cinder',
  'cephfs',
  'fc',
  'flocker',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const

const reclaimPolicies = ['Delete', 'Recycle', 'Retain']

export function validateVolume({ spec }: PersistentVolume): readonly FieldError[] {
  const { persistentVolumeReclaimPolicy: policy = '', storageClassName = '', volumeMode } = spec
  return [
    ...validateAccessModes('spec.accessModes', spec.accessModes ?? []),
    ...validateCapacity(spec.capacity),
    ...(policy === '' || reclaimPolicies.includes(policy)
      ? []
      : [notSupportedField('spec.persistentVolumeReclaimPolicy', policy, reclaimPolicies)]),
    ...validateSource(spec),
    ...(storageClassName === '' ? [] : checkSubdomain('spec.storageClassName', storageClassName)),
    ...(volumeMode === undefined || volumeModes.includes(volumeMode)
      ? []
      : [notSupportedField('spec.volumeMode', volumeMode, volumeModes)]),
  ]
}

function validateCapacity(capacity: PersistentVolumeSpec['capacity']): readonly FieldError[] {
  if (capacity === undefined) {
    const none = 'Unsupported value: core.ResourceList(nil): supported values: "storage"'
    return [requiredField('spec.capacity'), { reason: 'FieldValueNotSupported', field: 'spec.capacity', message: none }]
  }
  if (!Object.hasOwn(capacity, 'storage') || Object.keys(capacity).length > 1) {
    return [notSupportedField('spec.capacity', capacity, ['storage'])]
  }
  return checkPositiveQuantity('spec.capacity[storage]', String(capacity.storage))
}

function validateSource(spec: PersistentVolumeSpec): readonly FieldError[] {
  const given = sources.filter((source) => spec[source] !== undefined)
  const [first, ...others] = given
  if (first === undefined) return [requiredField('spec', 'must specify a volume type')]
  return [
    ...others.map((source) => forbiddenField(`spec.${source}`, 'may not specify more than 1 volume type')),
    ...validatePath('spec.hostPath.path', spec.hostPath?.path),
    ...validatePath('spec.local.path', spec.local?.path),
    ...validateNfs(spec.nfs),
    ...validateCsi(spec.csi),
    ...(spec.local !== undefined && spec.nodeAffinity === undefined
      ? [requiredField('spec.nodeAffinity', 'Local volume requires node affinity')]
      : []),
  ]
}

function validateNfs(nfs: PersistentVolumeSpec['nfs']): readonly FieldError[] {
  if (nfs === undefined) return []
  const { server, path } = nfs
  return [
    ...(server === '' ? [requiredField('spec.nfs.server')] : []),
    ...(path === '' ? [requiredField('spec.nfs.path')] : []),
    ...(path === '' || path.startsWith('/') ? [] : [invalidField('spec.nfs.path', path, 'must be an absolute path')]),
  ]
}

function validateCsi(csi: PersistentVolumeSpec['csi']): readonly FieldError[] {
  if (csi === undefined) return []
  return [
    ...checkDriverName('spec.csi.driver', csi.driver),
    ...(csi.volumeHandle === '' ? [requiredField('spec.csi.volumeHandle')] : []),
  ]
}

function validatePath(field: string, path: string | undefined): readonly FieldError[] {
  if (path === undefined) return []
  if (path === '') return [requiredField(field)]
  return path.split('/').includes('..') ? [invalidField(field, path, "must not contain '..'")] : []
}

/**
 * Where data is does not change; how it is claimed does. As in Kubernetes, causes in the spec are told once for the object and
 * once for the change.
 */
export function validateVolumeUpdate(after: PersistentVolume, before: PersistentVolume): readonly FieldError[] {
  return [
    ...validateVolume(after),
    ...(deepEqual(sourceOf(after.spec), sourceOf(before.spec))
      ? []
      : [forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]),
    ...(after.spec.volumeMode === before.spec.volumeMode
      ? []
      : [invalidField('volumeMode', after.spec.volumeMode, 'field is immutable')]),
    ...(before.spec.nodeAffinity === undefined || deepEqual(after.spec.nodeAffinity, before.spec.nodeAffinity)
      ? []
      : [
          invalidField(
            'nodeAffinity',
            after.spec.nodeAffinity,
            'field is immutable, except for updating from beta label to GA',
          ),
        ]),
  ]
}

function sourceOf(spec: PersistentVolumeSpec): unknown {
  return sources.map((source) => spec[source])
}
