import { allErrors, type FieldError, invalidField } from '../field-error.ts'

/** A path without `..`. */
export function checkNoParent(field: string, path: string): readonly FieldError[] {
  return path.split('/').includes('..') ? [invalidField(field, path, "must not contain '..'")] : []
}

/** A relative path inside something else. */
export function checkInnerPath(field: string, path: string): readonly FieldError[] {
  return allErrors(
    path.startsWith('/') ? [invalidField(field, path, 'must be a relative path')] : [],
    checkNoParent(field, path),
  )
}
