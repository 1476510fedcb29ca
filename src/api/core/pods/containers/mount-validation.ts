import {
  allErrors,
  errorsOfEach,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  notSupportedField,
  requiredField,
} from '../../../field-error.ts'
import type { Container, Volume, VolumeDevice, VolumeMount } from '../../../types/core-v1.ts'
import { checkInnerPath, checkNoParent } from '../../path-checks.ts'
import { repeated } from '../../repeated.ts'

const propagations = ['Bidirectional', 'HostToContainer', 'None']
const recursiveModes = ['Disabled', 'Enabled', 'IfPossible']

type Volumes = ReadonlyMap<string, Volume>

export function validateMounts(list: string, container: Container, volumes: Volumes): readonly FieldError[] {
  const { volumeMounts: mounts = [], volumeDevices: devices = [] } = container
  const isTaken = repeated(mounts.map(({ mountPath }) => mountPath))
  const deviceNames = new Set(devices.map(({ name }) => name))
  const devicePaths = pathsOf(devices)
  return errorsOfEach(mounts, (mount, index) => {
    const { name, mountPath } = mount
    const field = `${list}[${index}]`
    return allErrors(
      name === '' ? [requiredField(`${field}.name`)] : [],
      volumes.has(name) ? [] : [notFoundField(`${field}.name`, name)],
      mountPath === '' ? [requiredField(`${field}.mountPath`)] : [],
      isTaken[index] ? [invalidField(`${field}.mountPath`, mountPath, 'must be unique')] : [],
      deviceNames.has(name) ? [invalidField(`${field}.name`, name, 'must not already exist in volumeDevices')] : [],
      devicePaths.has(mountPath)
        ? [invalidField(`${field}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices')]
        : [],
      validateSubPaths(list, field, mount),
      validatePropagation(`${list}.mountPropagation`, mount, container),
      validateRecursion(`${list}.recursiveReadOnly`, mount),
    )
  })
}

/** Of two with the same name the last one counts. */
function pathsOf(devices: readonly VolumeDevice[]): ReadonlySet<string> {
  return new Set(new Map(devices.map(({ name, devicePath }) => [name, devicePath])).values())
}

/** Reported for the list: Kubernetes does not say for which mount. */
function validateSubPaths(list: string, field: string, { subPath = '', subPathExpr = '' }: VolumeMount) {
  return allErrors(
    checkInnerPath(`${list}.subPath`, subPath),
    subPath !== '' && subPathExpr !== ''
      ? [invalidField(`${field}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
      : [],
    checkInnerPath(`${list}.subPathExpr`, subPathExpr),
  )
}

function validatePropagation(field: string, { mountPropagation: mode }: VolumeMount, { securityContext }: Container) {
  if (mode === undefined) return []
  return allErrors(
    propagations.includes(mode) ? [] : [notSupportedField(field, mode, propagations)],
    mode === 'Bidirectional' && securityContext?.privileged !== true
      ? [forbiddenField(field, 'Bidirectional mount propagation is available only to privileged containers')]
      : [],
  )
}

function validateRecursion(field: string, mount: VolumeMount): readonly FieldError[] {
  const { recursiveReadOnly: mode, readOnly, mountPropagation = 'None' } = mount
  if (mode === undefined || mode === 'Disabled') return []
  if (!recursiveModes.includes(mode)) return [notSupportedField(field, mode, recursiveModes)]
  return allErrors(
    readOnly === true ? [] : [forbiddenField(field, 'may only be specified when readOnly is true')],
    mountPropagation === 'None'
      ? []
      : [forbiddenField(field, 'may only be specified when mountPropagation is None or not specified')],
  )
}

/** Volumes that are used as raw block devices. */
export function validateDevices(list: string, container: Container, volumes: Volumes): readonly FieldError[] {
  const { volumeMounts: mounts = [], volumeDevices: devices = [] } = container
  const mounted = new Map(mounts.map(({ name, mountPath }) => [name, mountPath]))
  const mountPaths = new Set(mounted.values())
  const isNameTaken = repeated(devices.map(({ name }) => (name === '' ? undefined : name)))
  const isPathTaken = repeated(devices.map(({ devicePath }) => (leadsUp(devicePath) ? undefined : devicePath)))
  return errorsOfEach(devices, ({ name, devicePath }, index) => {
    const [nameField, pathField] = [`${list}[${index}].name`, `${list}[${index}].devicePath`]
    return allErrors(
      name === '' ? [requiredField(nameField)] : [],
      isNameTaken[index] ? [invalidField(nameField, name, 'must be unique')] : [],
      validateVolumeOf(nameField, name, volumes.get(name)),
      devicePath === '' ? [requiredField(pathField)] : [],
      isPathTaken[index] ? [invalidField(pathField, devicePath, 'must be unique')] : [],
      leadsUp(devicePath) ? [invalidField(pathField, devicePath, "can not contain backsteps ('..')")] : [],
      mounted.has(name) ? [invalidField(nameField, name, 'must not already exist in volumeMounts')] : [],
      mountPaths.has(devicePath)
        ? [invalidField(pathField, devicePath, 'must not already exist as a path in volumeMounts')]
        : [],
    )
  })
}

function leadsUp(path: string): boolean {
  return checkNoParent('', path).length > 0
}

function validateVolumeOf(field: string, name: string, volume: Volume | undefined): readonly FieldError[] {
  if (volume === undefined) return [notFoundField(field, name)]
  if (volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) return []
  const problem = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
  return [invalidField(field, name, problem)]
}
