import { allErrors, type FieldError, forbiddenField, invalidField, requiredField } from '../../field-error.ts'
import type {
  ConfigMapProjection,
  ProjectedVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '../../types/core-v1.ts'
import { checkDownwardFile, checkFilePath, checkItem } from './file-checks.ts'
import { missingMembers } from './missing-members.ts'
import { checkFileMode } from './ranges.ts'

const leastSeconds = 600
const mostSeconds = 2 ** 32

export function checkProjected(field: string, { defaultMode, sources }: ProjectedVolumeSource): readonly FieldError[] {
  const taken = new Set<string>()
  return allErrors(
    checkFileMode(`${field}.defaultMode`, defaultMode),
    (sources ?? []).flatMap((source, index) => checkProjection(field, `${field}.sources[${index}]`, source, taken)),
  )
}

/** `volume` is the path of the volume, for which some errors are reported; `taken` are the paths of all files so far. */
function checkProjection(
  volume: string,
  field: string,
  projection: VolumeProjection,
  taken: Set<string>,
): readonly FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken } = projection
  const given = [secret, configMap, downwardAPI, serviceAccountToken].filter((source) => source !== undefined)
  return allErrors(
    secret === undefined ? [] : checkKeys(volume, `${field}.secret`, secret, taken),
    configMap === undefined ? [] : checkKeys(volume, `${field}.configMap`, configMap, taken),
    (downwardAPI?.items ?? []).flatMap((file) =>
      allErrors(
        checkDownwardFile(`${field}.downwardAPI`, file),
        isFree(file.path, taken) ? [] : [conflictIn(volume, file.path)],
      ),
    ),
    serviceAccountToken === undefined ? [] : checkToken(volume, `${field}.serviceAccountToken`, serviceAccountToken),
    given.length > 1 ? [forbiddenField(field, 'may not specify more than 1 volume type per source')] : [],
  )
}

function checkKeys(
  volume: string,
  field: string,
  source: SecretProjection & ConfigMapProjection,
  taken: Set<string>,
): readonly FieldError[] {
  const { name = '', items = [] } = source
  const conflict = conflictIn(volume, name)
  return allErrors(
    missingMembers(field, source, 'name'),
    items.flatMap((item, index) =>
      allErrors(checkItem(`${field}.items[${index}]`, item), isFree(item.path, taken) ? [] : [conflict]),
    ),
  )
}

/** Also marks the path as taken. */
function isFree(path: string, taken: Set<string>): boolean {
  if (path === '') return true
  if (taken.has(path)) return false
  taken.add(path)
  return true
}

function conflictIn(volume: string, told: string): FieldError {
  return invalidField(volume, told, 'conflicting duplicate paths')
}

function checkToken(
  volume: string,
  field: string,
  { expirationSeconds = 0, path }: ServiceAccountTokenProjection,
): readonly FieldError[] {
  const lifetime = `${field}.expirationSeconds`
  return allErrors(
    expirationSeconds < leastSeconds
      ? [invalidField(lifetime, expirationSeconds, 'may not specify a duration less than 10 minutes')]
      : [],
    expirationSeconds > mostSeconds
      ? [invalidField(lifetime, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
      : [],
    path === '' ? [requiredField(`${volume}.path`)] : checkFilePath(`${volume}.path`, path),
  )
}
