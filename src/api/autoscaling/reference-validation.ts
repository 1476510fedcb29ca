import { checkPathSegment } from '../core/field-checks.ts'
import type { FieldError } from '../field-error.ts'

/** An object of any version of its kind. */
export function validateReference(
  field: string,
  { kind, name }: { readonly kind: string; readonly name: string },
): readonly FieldError[] {
  return [...checkPathSegment(`${field}.kind`, kind), ...checkPathSegment(`${field}.name`, name)]
}
