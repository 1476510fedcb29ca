import { type FieldError, invalidField, maxFieldErrors, tooLongField } from '../field-error.ts'
import { codePointName, isPrintable } from '../human/go-syntax.ts'
import type { ManagedFieldsEntry } from '../object.ts'
import { utf8Length } from '../utf8-length.ts'

const managerMaxBytes = 128
const subresourceMaxBytes = 256

/** Matches nearly all manager names, which need no further checks. */
const ordinary = /^[ -~]{0,128}$/

export function validateManagedFields(entries: readonly ManagedFieldsEntry[] | undefined, errors: FieldError[]): void {
  entries?.forEach((entry, index) => {
    if (errors.length < maxFieldErrors) validateEntry(`metadata.managedFields[${index}]`, entry, errors)
  })
}

/** Names of field managers, in managedFields and in the `fieldManager` parameter. */
function validateFieldManager(field: string, manager: string): readonly FieldError[] {
  if (ordinary.test(manager)) return []
  const errors: FieldError[] = []
  if (utf8Length(manager) > managerMaxBytes) errors.push(tooLongField(field, managerMaxBytes))
  const bad = [...manager.slice(0, managerMaxBytes)].find((character) => !isPrintable(character))
  if (bad === undefined) return errors
  const position = utf8Length(manager.slice(0, manager.indexOf(bad)))
  const detail = `invalid character ${codePointName(bad.codePointAt(0) ?? 0)} (at position ${position})`
  return [...errors, invalidField(field, manager, detail)]
}

function validateEntry(field: string, entry: ManagedFieldsEntry, errors: FieldError[]): void {
  const { operation = '', fieldsType = '', manager = '', subresource = '' }: Loose = entry
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalidField(`${field}.operation`, operation, 'must be `Apply` or `Update`'))
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalidField(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'))
  }
  errors.push(...validateFieldManager(`${field}.manager`, manager))
  if (utf8Length(subresource) > subresourceMaxBytes)
    errors.push(tooLongField(`${field}.subresource`, subresourceMaxBytes))
}

/** The schema only requires strings; this file checks their values. */
interface Loose {
  readonly operation?: string
  readonly fieldsType?: string
  readonly manager?: string
  readonly subresource?: string
}
