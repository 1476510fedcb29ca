import { type FieldError, requiredField } from '../../field-error.ts'

/** Required members of a part of an object: an error for each that is absent or empty. */
export function missingMembers<T extends object>(
  field: string,
  part: T,
  ...members: readonly (keyof T & string)[]
): readonly FieldError[] {
  return members.filter((member) => isEmpty(part[member])).map((member) => requiredField(`${field}.${member}`))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
