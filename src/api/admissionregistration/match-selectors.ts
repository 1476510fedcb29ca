import type { FieldError } from '../field-error.ts'
import { validateLabelSelector } from '../selectors/label-selector-object.ts'
import type { MatchResources } from '../types/admissionregistration-v1.ts'

/** Every request is held against them: one that cannot be understood must not be stored. */
export function validateMatchSelectors(field: string, resources: MatchResources | undefined): readonly FieldError[] {
  const { namespaceSelector, objectSelector } = resources ?? {}
  return [
    ...(namespaceSelector === undefined ? [] : validateLabelSelector(`${field}.namespaceSelector`, namespaceSelector)),
    ...(objectSelector === undefined ? [] : validateLabelSelector(`${field}.objectSelector`, objectSelector)),
  ]
}
