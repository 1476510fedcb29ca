import { duplicateField, type FieldError, forbiddenField, notSupportedField, requiredField } from '../field-error.ts'
import type { HostPathVolumeSource, Volume } from '../types/core-v1.ts'
import { checkLabelName } from './field-checks.ts'
import { checkNoParent } from './path-checks.ts'
import { repeated } from './repeated.ts'

const hostPathTypes = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
]

export function validateVolumes(list: string, volumes: readonly Volume[]): readonly FieldError[] {
  const isTaken = repeated(volumes.map(({ name }) => name))
  return volumes.flatMap((volume, index) => {
    const field = `${list}[${index}]`
    return [
      ...validateSource(field, volume),
      ...(volume.name === '' ? [requiredField(`${field}.name`)] : checkLabelName(`${field}.name`, volume.name)),
      ...(isTaken[index] ? [duplicateField(`${field}.name`, volume.name)] : []),
    ]
  })
}

/** A volume is of one type; the first one that is given counts. */
function validateSource(field: string, volume: Volume): readonly FieldError[] {
  const errors = volume.hostPath === undefined ? [] : validateHostPath(`${field}.hostPath`, volume.hostPath)
  const sources = Object.keys(volume).filter((member) => member !== 'name')
  if (sources.length < 2) return errors
  const [first = '', ...more] = sources.sort((left, right) => placeOf(left) - placeOf(right))
  return [
    ...(first === 'hostPath' ? errors : []),
    ...more.map((source) =>
      forbiddenField(`${field}.${spellings[source] ?? source}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

/** The order in which Kubernetes looks. */
const sourceOrder = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi'],
  ...['glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte', 'downwardAPI', 'fc'],
  ...['flexVolume', 'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk'],
  ...['storageos', 'projected', 'scaleIO', 'csi', 'ephemeral', 'image'],
]

/** Members that it spells otherwise when it refuses them. */
const spellings: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }

function placeOf(source: string): number {
  return sourceOrder.indexOf(source)
}

function validateHostPath(field: string, { path, type = '' }: HostPathVolumeSource): readonly FieldError[] {
  if (path === '') return [requiredField(`${field}.path`)]
  return [
    ...checkNoParent(`${field}.path`, path),
    ...(hostPathTypes.includes(type) ? [] : [notSupportedField(`${field}.type`, type, hostPathTypes)]),
  ]
}
