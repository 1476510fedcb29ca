import { checkPathSegment, checkSubdomain } from '../core/field-checks.ts'
import type { FieldError } from '../field-error.ts'

interface TypedReference {
  readonly apiGroup?: string | null
  readonly kind: string
  readonly name: string
}

/** A reference from an Ingress or its class to an object of any kind. */
export function validateTypedReference(field: string, { apiGroup, kind, name }: TypedReference): readonly FieldError[] {
  return [
    ...(apiGroup === undefined || apiGroup === null ? [] : checkSubdomain(`${field}.apiGroup`, apiGroup)),
    ...checkPathSegment(`${field}.kind`, kind, 'kind is required'),
    ...checkPathSegment(`${field}.name`, name, 'name is required'),
  ]
}
