import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { parseQuantity } from '../quantity.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../types/core-v1.ts'
import { validateDataSources } from './claim-data-source.ts'
import { checkSubdomain } from './field-checks.ts'

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
export const volumeModes = ['Block', 'Filesystem']

export function validateClaim({ spec }: PersistentVolumeClaim): readonly FieldError[] {
  return validateClaimSpec('spec', spec)
}

/** `field` is where the spec stands: ephemeral volumes of pods have one too. */
export function validateClaimSpec(field: string, spec: PersistentVolumeClaimSpec): readonly FieldError[] {
  const { storageClassName, volumeMode, selector } = spec
  return [
    ...validateAccessModes(`${field}.accessModes`, spec.accessModes ?? [], 'at least 1 access mode is required'),
    ...(selector === undefined ? [] : validateLabelSelector(`${field}.selector`, selector)),
    ...validateStorage(`${field}.resources`, spec.resources.requests?.storage),
    ...(storageClassName === undefined || storageClassName === ''
      ? []
      : checkSubdomain(`${field}.storageClassName`, storageClassName)),
    ...(volumeMode === undefined || volumeModes.includes(volumeMode)
      ? []
      : [notSupportedField(`${field}.volumeMode`, volumeMode, volumeModes)]),
    ...validateDataSources(field, spec),
  ]
}

export function validateAccessModes(field: string, modes: readonly string[], whyOne?: string): readonly FieldError[] {
  if (modes.length === 0) return [requiredField(field, whyOne)]
  const unknown = modes.filter((mode) => !accessModes.includes(mode))
  const isShared = modes.includes('ReadWriteOncePod') && modes.length > 1
  return [
    ...unknown.map((mode) => notSupportedField(field, mode, accessModes)),
    ...(isShared ? [forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ]
}

function validateStorage(field: string, requested: string | number | undefined): readonly FieldError[] {
  const path = `${field}[storage]`
  if (requested === undefined) return [requiredField(path)]
  return checkPositiveQuantity(path, String(requested))
}

export function checkPositiveQuantity(field: string, text: string): readonly FieldError[] {
  const quantity = parseQuantity(text)
  if ('problem' in quantity || quantity.nanos > 0n) return []
  return [invalidField(field, text, 'must be greater than zero')]
}
