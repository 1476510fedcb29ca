import { allErrors, type FieldError, forbiddenField, notSupportedField, requiredField } from '../../field-error.ts'
import { validateLabelSelector } from '../../selectors/label-selector-object.ts'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../types/core-v1.ts'
import { checkPositiveQuantity } from '../amounts/stored-amounts.ts'
import { checkSubdomain } from '../field-checks.ts'
import { validateDataSources } from './claim-data-source.ts'

const exclusive = 'ReadWriteOncePod'
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', exclusive]
export const volumeModes = ['Block', 'Filesystem']

export function validateClaim({ spec }: PersistentVolumeClaim): readonly FieldError[] {
  return validateClaimSpec('spec', spec)
}

/** `field` is the path of the spec: ephemeral volumes of pods have one too. */
export function validateClaimSpec(field: string, spec: PersistentVolumeClaimSpec): readonly FieldError[] {
  const { accessModes: modes = [], storageClassName, volumeMode, selector } = spec
  return allErrors(
    modes.length === 0 ? [requiredField(`${field}.accessModes`, 'at least 1 access mode is required')] : [],
    selector === undefined ? [] : validateLabelSelector(`${field}.selector`, selector),
    validateAccessModes(`${field}.accessModes`, modes),
    validateStorage(`${field}.resources`, spec.resources.requests?.storage),
    storageClassName === undefined || storageClassName === ''
      ? []
      : checkSubdomain(`${field}.storageClassName`, storageClassName),
    volumeMode === undefined || volumeModes.includes(volumeMode)
      ? []
      : [notSupportedField(`${field}.volumeMode`, volumeMode, volumeModes)],
    validateDataSources(field, spec),
  )
}

export function validateAccessModes(field: string, modes: readonly string[]): readonly FieldError[] {
  const known = modes.filter((mode) => accessModes.includes(mode))
  const isShared = known.includes(exclusive) && known.some((mode) => mode !== exclusive)
  return allErrors(
    modes.filter((mode) => !accessModes.includes(mode)).map((mode) => notSupportedField(field, mode, accessModes)),
    isShared ? [forbiddenField(field, `may not use ${exclusive} with other access modes`)] : [],
  )
}

function validateStorage(field: string, requested: string | number | undefined): readonly FieldError[] {
  const path = `${field}[storage]`
  if (requested === undefined) return [requiredField(path)]
  return checkPositiveQuantity(path, String(requested))
}
