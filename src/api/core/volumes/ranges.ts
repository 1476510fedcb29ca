import { type FieldError, invalidField } from '../../field-error.ts'

const mostOfMode = 0o777

/** Absent is valid. */
export function checkWithin(
  field: string,
  value: number | undefined,
  least: number,
  most: number,
  told = `must be between ${least} and ${most}, inclusive`,
): readonly FieldError[] {
  return value === undefined || (value >= least && value <= most) ? [] : [invalidField(field, value, told)]
}

/** File permission bits. */
export function checkFileMode(field: string, mode: number | undefined): readonly FieldError[] {
  return checkWithin(field, mode, 0, mostOfMode, 'must be a number between 0 and 0777 (octal), both inclusive')
}
