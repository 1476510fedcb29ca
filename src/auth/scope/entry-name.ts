import { type FieldError, invalidField, requiredField } from '../../api/field-error.ts'
import { validateSubdomain } from '../../api/names.ts'
import { wildcard } from './texts.ts'

/** A name, or `*` for all. An empty name would be neither. */
export function validateEntryName(path: string, name: string | undefined): readonly FieldError[] {
  if (name === undefined || name === '') return [requiredField(path, 'a name, or * for all')]
  return name === wildcard ? [] : validateObjectName(path, name)
}

/** A name, where leaving it out means all. */
export function validateOptionalName(path: string, name: string | undefined): readonly FieldError[] {
  if (name === undefined || name === '') return []
  if (name === wildcard) return [invalidField(path, name, 'leave it out for all')]
  return validateObjectName(path, name)
}

function validateObjectName(path: string, name: string): readonly FieldError[] {
  return validateSubdomain(name).map((problem) => invalidField(path, name, problem))
}
