import type { FieldError } from '../field-error.ts'

/** What is wrong with an object and was not before: objects of an earlier version stay writable. */
export function newErrors<T>(
  validate: (object: T, before?: T) => readonly FieldError[],
  after: T,
  before: T,
): readonly FieldError[] {
  const found = validate(after, before)
  if (found.length === 0) return found
  const known = new Set(validate(before).map(({ field, message }) => `${field}: ${message}`))
  return found.filter(({ field, message }) => !known.has(`${field}: ${message}`))
}
