import { type FieldError, requiredField, tooLongField } from '../field-error.ts'
import { validateSubdomain } from '../names.ts'
import { checkEach } from './field-checks.ts'

const longest = 63

/** The name of a storage driver: a subdomain, except for capital letters. */
export function checkDriverName(field: string, name: string): readonly FieldError[] {
  return [
    ...(name === '' ? [requiredField(field)] : []),
    ...(name.length > longest ? [tooLongField(field, longest)] : []),
    ...checkEach(field, name, validateSubdomain(name.toLowerCase())),
  ]
}
