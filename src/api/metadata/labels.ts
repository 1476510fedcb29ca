import { type FieldError, invalidField, maxFieldErrors } from '../field-error.ts'
import { validateLabelValue, validateQualifiedName } from '../names.ts'

export function validateLabels(
  field: string,
  labels: Readonly<Record<string, string>> | undefined,
  errors: FieldError[],
): void {
  if (labels === undefined) return
  for (const key of Object.keys(labels)) {
    if (errors.length >= maxFieldErrors) return
    const value = labels[key] ?? ''
    for (const problem of validateQualifiedName(key)) errors.push(invalidField(field, key, problem))
    for (const problem of validateLabelValue(value)) errors.push(invalidField(field, value, problem))
  }
}
