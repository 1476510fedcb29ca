import type { FieldError } from '../../api/field-error.ts'
import type { AccessKeyScope } from '../../api/management/access-key-types.ts'

export function validateScope(_path: string, _scope: AccessKeyScope | undefined): readonly FieldError[] {
  return []
}

export function deprecations(_scope: AccessKeyScope | undefined): readonly string[] {
  return []
}
