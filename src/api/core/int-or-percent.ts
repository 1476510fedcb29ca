import { type FieldError, invalidField } from '../field-error.ts'
import { goIntOrString } from '../human/go-syntax.ts'
import { invalidPrinted } from './printed-errors.ts'

/** A number of pods, or a percentage of them such as `25%`. */
export type IntOrPercent = number | string

const percent = /^[0-9]+%$/
const percentOrNumber = /^([0-9]+%|[+-]?[0-9]+)$/
const percentAdvice =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

export function checkIntOrPercent(field: string, value: IntOrPercent | undefined): readonly FieldError[] {
  if (value === undefined) return []
  if (typeof value === 'string') {
    return percent.test(value) ? [] : [invalidPrinted(field, goIntOrString(value), percentAdvice)]
  }
  return value >= 0 ? [] : [invalidField(field, value, 'must be greater than or equal to 0')]
}

export function checkAtMostWhole(field: string, value: IntOrPercent | undefined): readonly FieldError[] {
  if (typeof value !== 'string' || !percent.test(value) || Number.parseInt(value, 10) <= 100) return []
  return [invalidPrinted(field, goIntOrString(value), 'must not be greater than 100%')]
}

/** Whether the value is zero for any total. Text that is neither a percentage nor a number counts as zero. */
export function isNoneOf(value: IntOrPercent | undefined): boolean {
  if (value === undefined || value === 0) return true
  return typeof value === 'string' && !(percentOrNumber.test(value) && Number.parseInt(value, 10) !== 0)
}
