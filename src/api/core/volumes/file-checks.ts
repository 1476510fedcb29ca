import { allErrors, errorsOfEach, type FieldError, invalidField, requiredField } from '../../field-error.ts'
import type { DownwardAPIVolumeFile, DownwardAPIVolumeSource, KeyToPath } from '../../types/core-v1.ts'
import { checkFieldReference, checkResourceReference } from '../downward-validation.ts'
import { checkInnerPath } from '../path-checks.ts'
import { missingMembers } from './missing-members.ts'
import { checkFileMode } from './ranges.ts'

const ofVolumes = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid']

/** Files of a volume that the node writes: names that begin with two dots are reserved for it. */
export function checkFilePath(field: string, path: string): readonly FieldError[] {
  return allErrors(
    checkInnerPath(field, path),
    path.startsWith('..') && !path.startsWith('../') ? [invalidField(field, path, "must not start with '..'")] : [],
  )
}

export function checkItems(field: string, items: readonly KeyToPath[]): readonly FieldError[] {
  return errorsOfEach(items, (item, index) => checkItem(`${field}[${index}]`, item))
}

export function checkItem(field: string, item: KeyToPath): readonly FieldError[] {
  return allErrors(
    missingMembers(field, item, 'key', 'path'),
    checkFilePath(`${field}.path`, item.path),
    checkFileMode(`${field}.mode`, item.mode),
  )
}

/** Reported for the volume: Kubernetes does not say for which of its files. */
export function checkDownwardFile(field: string, file: DownwardAPIVolumeFile): readonly FieldError[] {
  return allErrors(
    missingMembers(field, file, 'path'),
    checkFilePath(`${field}.path`, file.path),
    checkReference(field, file),
    checkFileMode(`${field}.mode`, file.mode),
  )
}

function checkReference(field: string, { fieldRef, resourceFieldRef }: DownwardAPIVolumeFile): readonly FieldError[] {
  if (fieldRef !== undefined) {
    return allErrors(
      checkFieldReference(`${field}.fieldRef`, fieldRef, ofVolumes),
      resourceFieldRef === undefined
        ? []
        : [invalidField(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')],
    )
  }
  if (resourceFieldRef === undefined) return [requiredField(field, 'one of fieldRef and resourceFieldRef is required')]
  const path = `${field}.resourceFieldRef`
  return checkResourceReference(path, resourceFieldRef, (resourceFieldRef.containerName ?? '') === '')
}

export function checkDownward(field: string, { defaultMode, items = [] }: DownwardAPIVolumeSource) {
  return allErrors(
    checkFileMode(`${field}.defaultMode`, defaultMode),
    errorsOfEach(items, (file) => checkDownwardFile(field, file)),
  )
}
