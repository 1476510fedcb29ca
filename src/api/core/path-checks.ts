import { allErrors, type FieldError, invalidField } from '../field-error.ts'

/** A path that never leads upward. */
export function checkNoParent(field: string, path: string): readonly FieldError[] {
  return path.split('/').includes('..') ? [invalidField(field, path, "must not contain '..'")] : []
}

/** A path inside of something else. */
export function checkInnerPath(field: string, path: string): readonly FieldError[] {
  return allErrors(
    path.startsWith('/') ? [invalidField(field, path, 'must be a relative path')] : [],
    checkNoParent(field, path),
  )
}
