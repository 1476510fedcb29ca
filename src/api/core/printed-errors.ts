import type { FieldError } from '../field-error.ts'

/** Errors about values that clients know in Go's notation. `printed` is the value as shown in the message. */

export function invalidPrinted(field: string, printed: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${printed}: ${detail}` }
}

export function duplicatePrinted(field: string, printed: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${printed}` }
}
