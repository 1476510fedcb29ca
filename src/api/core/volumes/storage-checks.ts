import {
  allErrors,
  type FieldError,
  invalidField,
  invalidFieldAs,
  maxFieldErrors,
  notSupportedField,
  requiredField,
} from '../../field-error.ts'
import { goStrings } from '../../human/go-syntax.ts'
import { shortened } from '../../human/shortened.ts'
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
  StorageOSVolumeSource,
} from '../../types/core-v1.ts'
import { checkLabelName } from '../field-checks.ts'
import { checkNoParent } from '../path-checks.ts'
import { isHostPort } from './host-port.ts'
import { missingMembers } from './missing-members.ts'
import { checkWithin } from './ranges.ts'

/** Storage types that Pods and PersistentVolumes name alike. `field` is the path of the source. */

const hostPathTypes = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
]

export function checkHostPath(field: string, { path, type = '' }: HostPathVolumeSource): readonly FieldError[] {
  if (path === '') return [requiredField(`${field}.path`)]
  return allErrors(
    checkNoParent(`${field}.path`, path),
    hostPathTypes.includes(type) ? [] : [notSupportedField(`${field}.type`, type, hostPathTypes)],
  )
}

/** A whole disk is partition zero, although the message only mentions the others. */
export function checkPartition(field: string, partition: number | undefined): readonly FieldError[] {
  return checkWithin(`${field}.partition`, partition, 0, 255, 'must be between 1 and 255, inclusive')
}

export function checkNfs(field: string, source: NFSVolumeSource): readonly FieldError[] {
  return allErrors(
    missingMembers(field, source, 'server', 'path'),
    source.path.startsWith('/') ? [] : [invalidField(`${field}.path`, source.path, 'must be an absolute path')],
  )
}

export function checkFlocker(field: string, { datasetName = '', datasetUUID = '' }: FlockerVolumeSource) {
  return allErrors(
    datasetName === '' && datasetUUID === ''
      ? [requiredField(field, 'one of datasetName and datasetUUID is required')]
      : [],
    datasetName !== '' && datasetUUID !== ''
      ? [invalidField(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : [],
    datasetName.includes('/') ? [invalidField(`${field}.datasetName`, datasetName, "must not contain '/'")] : [],
  )
}

const pairs = 'must be a host:port pair or multiple pairs separated by commas'

export function checkQuobyte(field: string, source: QuobyteVolumeSource): readonly FieldError[] {
  return allErrors(checkRegistry(field, source), missingMembers(field, source, 'volume'))
}

function checkRegistry(field: string, { registry, tenant = '' }: QuobyteVolumeSource): readonly FieldError[] {
  if (registry === '') return [requiredField(`${field}.registry`, pairs)]
  if (tenant.length >= 65) {
    return [requiredField(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')]
  }
  return registry
    .split(',', maxFieldErrors)
    .filter((pair) => !isHostPort(pair))
    .map(() => invalidField(`${field}.registry`, registry, pairs))
}

export function checkFibreChannel(field: string, { targetWWNs = [], wwids = [], lun }: FCVolumeSource) {
  const [hasTargets, hasIds] = [targetWWNs.length > 0, wwids.length > 0]
  const names = `${field}.targetWWNs`
  return allErrors(
    hasTargets || hasIds ? [] : [requiredField(names, 'must specify either targetWWNs or wwids, but not both')],
    hasTargets && hasIds
      ? [
          invalidFieldAs(
            names,
            shortened(goStrings(targetWWNs)),
            'targetWWNs and wwids can not be specified simultaneously',
          ),
        ]
      : [],
    hasTargets && lun === undefined
      ? [requiredField(`${field}.lun`, 'lun is required if targetWWNs is specified')]
      : [],
    hasTargets ? checkWithin(`${field}.lun`, lun, 0, 255) : [],
  )
}

export function checkFlex(field: string, source: Pick<FlexVolumeSource, 'driver' | 'options'>): readonly FieldError[] {
  return allErrors(
    missingMembers(field, source, 'driver'),
    Object.keys(source.options ?? {})
      .filter(isReserved)
      .map((key) => invalidField(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved')),
  )
}

function isReserved(key: string): boolean {
  const domain = `.${(key.split('/', 1)[0] ?? '').toLowerCase()}`
  return domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io')
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite']
const diskKinds = ['Dedicated', 'Managed', 'Shared']
const managedUri = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

export function checkAzureDisk(field: string, source: AzureDiskVolumeSource): readonly FieldError[] {
  const { diskURI, cachingMode, kind } = source
  const isManaged = kind === 'Managed'
  const isKnownUri = kind === undefined || diskURI.startsWith(isManaged ? '/subscriptions/' : 'https://')
  return allErrors(
    missingMembers(field, source, 'diskName', 'diskURI'),
    cachingMode === undefined || cachingModes.includes(cachingMode)
      ? []
      : [notSupportedField(`${field}.cachingMode`, cachingMode, cachingModes)],
    kind === undefined || diskKinds.includes(kind) ? [] : [notSupportedField(`${field}.kind`, kind, diskKinds)],
    isKnownUri ? [] : [notSupportedField(`${field}.diskURI`, diskURI, [isManaged ? managedUri : blobUri])],
  )
}

export function checkStorageOs(
  field: string,
  { volumeName = '', volumeNamespace = '' }: Pick<StorageOSVolumeSource, 'volumeName' | 'volumeNamespace'>,
): readonly FieldError[] {
  return allErrors(
    volumeName === '' ? [requiredField(`${field}.volumeName`)] : checkLabelName(`${field}.volumeName`, volumeName),
    volumeNamespace === '' ? [] : checkLabelName(`${field}.volumeNamespace`, volumeNamespace),
  )
}
