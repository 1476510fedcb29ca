import { type PathElement, printPath } from '../../base/json/path.ts'
import { type FieldError, invalidField, notSupportedField, tooLongField, typeInvalidField } from '../field-error.ts'
import { parseQuantity } from '../quantity.ts'
import type { Schema } from '../schema.ts'
import { canonicalBase64 } from './base64.ts'
import { parseMicroTime, parseTime } from './time.ts'

const noErrors: readonly FieldError[] = []
const longestQuantity = 200

/** What is wrong with a scalar of a custom kind, in the words of Kubernetes' schema validation. */
export function scalarErrors(schema: Schema, value: unknown, path: readonly PathElement[]): readonly FieldError[] {
  if (!hasType(schema, value)) return [typeError(wantedType(schema), value, path)]
  if (typeof value === 'string') return stringErrors(schema, value, path)
  if (typeof value === 'number') return numberErrors(schema, value, path)
  return noErrors
}

/** The type is shown in place of the value, which does not matter here. */
export function typeError(wanted: string, value: unknown, path: readonly PathElement[]): FieldError {
  const found = jsonType(value)
  return typeInvalidField(fieldName(path), found, `${bodyName(path)} must be of type ${wanted}: "${found}"`)
}

function hasType(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' || (typeof value === 'number' && takesNumbers(schema, value))
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    default:
      return typeof value === schema.type
  }
}

function takesNumbers(schema: Schema, value: number): boolean {
  return schema.format === 'quantity' || (schema.format === 'int-or-string' && Number.isInteger(value))
}

function wantedType(schema: Schema): string {
  return schema.format === 'int-or-string' ? 'integer,string' : schema.type
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function stringErrors(schema: Schema, value: string, path: readonly PathElement[]): readonly FieldError[] {
  const errors: FieldError[] = []
  const field = fieldName(path)
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    errors.push(notSupportedField(field, value, schema.enum))
  }
  if (schema.maxLength !== undefined && characters(value) > schema.maxLength) {
    errors.push(tooLongField(field, schema.maxLength))
  }
  if (schema.minLength !== undefined && characters(value) < schema.minLength) {
    errors.push(invalidField(field, value, `${bodyName(path)} should be at least ${schema.minLength} chars long`))
  }
  if (!hasFormat(schema.format, value)) {
    errors.push(typeInvalidField(field, value, `${bodyName(path)} must be of type ${schema.format}: "${value}"`))
  }
  return errors
}

function characters(value: string): number {
  let count = 0
  for (const _ of value) count++
  return count
}

function hasFormat(format: Schema['format'], value: string): boolean {
  switch (format) {
    case 'date-time':
      return parseTime(value).valid
    case 'micro-time':
      return parseMicroTime(value).valid
    case 'byte':
      return canonicalBase64(value).valid
    case 'quantity':
      return value.length <= longestQuantity && !('problem' in parseQuantity(value))
    default:
      return true
  }
}

function numberErrors(schema: Schema, value: number, path: readonly PathElement[]): readonly FieldError[] {
  if (schema.minimum !== undefined && value < schema.minimum) {
    return [outOfRange(value, `greater than or equal to ${schema.minimum}`, path)]
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    return [outOfRange(value, `less than or equal to ${schema.maximum}`, path)]
  }
  if (schema.format === 'int32' && value !== (value | 0)) {
    return [typeInvalidField(fieldName(path), value, `${bodyName(path)} must be of type int32: "${value}"`)]
  }
  return noErrors
}

function outOfRange(value: number, limit: string, path: readonly PathElement[]): FieldError {
  return invalidField(fieldName(path), value, `${bodyName(path)} should be ${limit}`)
}

function fieldName(path: readonly PathElement[]): string {
  return path.length === 0 ? '<nil>' : printPath(path)
}

function bodyName(path: readonly PathElement[]): string {
  return `${printPath(path)} in body`
}
