import { goSyntax, quoted } from './human/go-syntax.ts'

/** One thing wrong with one field. `validate` functions return all of them, not the first. */
export interface FieldError {
  readonly reason: FieldErrorReason
  /** A dotted path such as `spec.ports[0].name`. */
  readonly field: string
  /** The cause's whole message, for example `Invalid value: 5: field is immutable`. */
  readonly message: string
}

export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueDuplicate'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueNotFound'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

/** Enough for any reader. A body full of mistakes must not produce an answer many times its size. */
export const maxFieldErrors = 100

const none: readonly FieldError[] = []

/** Joins the results of several checks. Nearly always there are none: then nothing is allocated. */
export function allErrors(...found: readonly (readonly FieldError[])[]): readonly FieldError[] {
  let all: FieldError[] | undefined
  for (const errors of found) {
    if (errors.length === 0) continue
    all ??= []
    for (const error of errors) all.push(error)
  }
  return all ?? none
}

/** Joins the results of a check for each item. */
export function errorsOfEach<T>(
  items: readonly T[],
  check: (item: T, index: number) => readonly FieldError[],
): readonly FieldError[] {
  let all: FieldError[] | undefined
  let index = 0
  for (const item of items) {
    const errors = check(item, index++)
    if (errors.length === 0) continue
    all ??= []
    for (const error of errors) all.push(error)
  }
  return all ?? none
}

export function requiredField(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) }
}

/** `value` is printed as in Go: strings quoted, lists of strings as `[]string{…}`, objects as compact JSON. */
export function invalidField(field: string, value: unknown, detail: string): FieldError {
  return invalidFieldAs(field, goSyntax(value), detail)
}

/** For values with a special printed form, such as times. */
export function invalidFieldAs(field: string, printedValue: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail(`Invalid value: ${printedValue}`, detail) }
}

/** What a check itself could not do. */
export function internalField(field: string, problem: string): FieldError {
  return { reason: 'InternalError', field, message: `Internal error: ${problem}` }
}

export function typeInvalidField(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueTypeInvalid', field, message: withDetail(`Invalid value: ${goSyntax(value)}`, detail) }
}

export function duplicateField(field: string, value: unknown, detail = ''): FieldError {
  return duplicateFieldAs(field, goSyntax(value), detail)
}

/** For values with a special printed form. */
export function duplicateFieldAs(field: string, printedValue: string, detail = ''): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: withDetail(`Duplicate value: ${printedValue}`, detail) }
}

export function notSupportedField(field: string, value: unknown, supported: readonly string[]): FieldError {
  return notSupportedFieldAs(field, goSyntax(value), supported)
}

/** For values with a special printed form. */
export function notSupportedFieldAs(field: string, printedValue: string, supported: readonly string[]): FieldError {
  const list = supported.map(quoted).join(', ')
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${printedValue}: supported values: ${list}`,
  }
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) }
}

export function tooLongField(field: string, maxBytes: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${maxBytes} bytes` }
}

export function tooManyField(field: string, count: number, max: number): FieldError {
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${count}: must have at most ${max} items` }
}

export function notFoundField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${goSyntax(value)}` }
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`
}
