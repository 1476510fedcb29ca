import { deepEqual } from '../../base/equal.ts'
import { isWhole } from '../../base/json/large-integer.ts'
import { type PathElement, printPath } from '../../base/json/path.ts'
import { printJson } from '../../base/json/print.ts'
import { type FieldError, invalidField, notSupportedField, tooLongField, typeInvalidField } from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import { hasFormat } from './formats/formats.ts'
import type { Checks, Choices } from './structure.ts'
import { isSpent, type ValidationContext } from './validation-context.ts'

const noErrors: readonly FieldError[] = []

export function stringErrors(checks: Checks, value: string, context: ValidationContext): readonly FieldError[] {
  const { maxLength, minLength, pattern, format } = checks
  if (maxLength === undefined && minLength === undefined && pattern === undefined && format === undefined)
    return noErrors
  context.budget.steps -= value.length * (1 + (pattern?.size() ?? 0))
  if (isSpent(context.budget)) return noErrors
  const field = printPath(context.path)
  const text = textError(checks, value, field)
  const isFormed = format === undefined || hasFormat(format, value)
  return [
    ...(text === undefined ? noErrors : [text]),
    ...(isFormed
      ? noErrors
      : [typeInvalidField(field, value, `${field} in body must be of type ${format}: ${quoted(value)}`)]),
  ]
}

/** Of its lengths and its pattern, only the first violation is reported. */
function textError({ maxLength, minLength, pattern }: Checks, value: string, field: string): FieldError | undefined {
  if (maxLength !== undefined && isLonger(value, maxLength)) return tooLongField(field, maxLength)
  if (minLength !== undefined && value.length < minLength * 2 && characters(value) < minLength) {
    return invalidField(field, value, `${field} in body should be at least ${minLength} chars long`)
  }
  if (pattern === undefined || pattern.matches(value)) return undefined
  return invalidField(field, value, `${field} in body should match '${pattern.source}'`)
}

function isLonger(value: string, maxLength: number): boolean {
  return value.length > maxLength && characters(value) > maxLength
}

function characters(value: string): number {
  let count = 0
  for (const _ of value) count++
  return count
}

/** A bigint and a number are compared exactly. */
export function numberErrors(
  checks: Checks,
  value: number | bigint,
  path: readonly PathElement[],
): readonly FieldError[] {
  const { minimum, maximum, multipleOf } = checks
  if (minimum === undefined && maximum === undefined && multipleOf === undefined) return noErrors
  const field = printPath(path)
  const errors: FieldError[] = []
  if (multipleOf !== undefined) errors.push(...multipleErrors(multipleOf, value, field))
  if (maximum !== undefined && (maximum.isExclusive ? value >= maximum.value : value > maximum.value)) {
    const relation = maximum.isExclusive ? 'less than' : 'less than or equal to'
    errors.push(invalidField(field, value, `${field} in body should be ${relation} ${maximum.value}`))
  }
  if (minimum !== undefined && (minimum.isExclusive ? value <= minimum.value : value < minimum.value)) {
    const relation = minimum.isExclusive ? 'greater than' : 'greater than or equal to'
    errors.push(invalidField(field, value, `${field} in body should be ${relation} ${minimum.value}`))
  }
  return errors
}

/** Kubernetes compares integers with the integer part of the factor, and refuses all of them if that is zero. */
function multipleErrors(factor: number, value: number | bigint, field: string): readonly FieldError[] {
  const whole = isWhole(value) ? Math.trunc(factor) : factor
  if (whole <= 0) {
    return [invalidField(field, whole, `factor MultipleOf declared for ${field} must be positive: ${whole}`)]
  }
  if (isMultiple(value, whole)) return noErrors
  return [invalidField(field, value, `${field} in body should be a multiple of ${whole}`)]
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint') return value % BigInt(factor) === 0n
  return isNearlyInteger(factor < 1 ? (1 / factor) * value : value / factor)
}

function isNearlyInteger(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9
}

export function enumErrors(
  { enum: choices }: Checks,
  value: unknown,
  context: ValidationContext,
): readonly FieldError[] {
  if (choices === undefined || isAmong(choices, value, context)) return noErrors
  context.budget.steps -= lengthOf(value)
  if (isSpent(context.budget)) return noErrors
  return [notSupportedField(printPath(context.path), value, choices.shown())]
}

function isAmong({ scalars, others, othersSize }: Choices, value: unknown, { budget }: ValidationContext): boolean {
  if (typeof value !== 'object' || value === null) return scalars.has(value)
  budget.nodes -= othersSize + others.length * Object.keys(value).length
  return !isSpent(budget) && others.some((each) => deepEqual(each, value))
}

/** The length of the value as shown. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : printJson(value).length
}
